//! Systems without an order may run in any: all schedules are shuffled, and the same flight shows the same ground in every frame.

use bevy::ecs::schedule::{ScheduleBuildSettings, ScheduleLabel};
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::StitchMask;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{OriginAnchor, WorldOrigin};
use std::collections::BTreeSet;
use testing::app::*;

const FRAMES: u32 = 150;

/// The view of a frame: where the origin is; every drawn chunk with its terrain, its stitch mask and its position; the same of the ground
/// under bodies; and the height below the viewer.
#[derive(Debug, PartialEq)]
struct Frame {
    origin: [f64; 3],
    chunks: Vec<(usize, ChunkCoord, StitchMask, [u32; 3])>,
    tiles: Vec<(Option<usize>, [i64; 2], [u32; 3], Vec<u32>)>,
    height: Option<u32>,
}

/// A flight over two terrains with two viewers, a body, an edit, a jump and a shift of the origin. `seed` shuffles all schedules.
fn flight(seed: u64) -> (Vec<String>, Vec<Frame>) {
    let mut app = app_without_threads();
    app.add_plugins(OriginShiftPlugin { threshold: 500.0 });
    set_budget(&mut app, |budget| budget.chunks_per_frame = 8);
    app.configure_schedules(ScheduleBuildSettings { shuffle_seed: Some(seed), ..default() });
    // With threads, the order would depend on the machine too.
    on_this_thread(&mut app);
    let terrains = [2.0, 8.0].map(|pixel_error| add_terrain(&mut app, settings_with_levels(pixel_error)));
    app.world_mut().entity_mut(terrains[1]).insert(Transform::from_xyz(0.0, -300.0, 0.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 500.0);
    app.world_mut().entity_mut(viewer).insert(OriginAnchor);
    add_viewer(&mut app, 300.0, 200.0, 200.0);
    let body = app.world_mut().spawn((Transform::from_xyz(30.0, 90.0, 0.0), KeepGround::default())).id();
    let mut frames = vec![];
    for frame in 0..FRAMES {
        let at = |app: &App, entity: Entity| app.world().get::<Transform>(entity).expect("it has one").translation;
        for (entity, speed) in [(viewer, 6.0), (body, 2.0)] {
            let Vec3 { x, z, .. } = at(&app, entity);
            move_to(&mut app, entity, x + speed, z);
        }
        match frame {
            60 => edit(&mut app, terrains[0], |settings| settings.field.seed += 1),
            110 => move_to(&mut app, viewer, -2000.0, 900.0),
            _ => {}
        }
        app.update();
        let mut chunks = vec![];
        for (number, terrain) in terrains.into_iter().enumerate() {
            for (coord, entity) in drawn_chunks(&mut app, terrain) {
                let mask = app.world().get::<ChunkStitchMask>(entity).expect("it has one").0;
                chunks.push((number, coord, mask, at(&app, entity).to_array().map(f32::to_bits)));
            }
        }
        let mut tiles = app.world_mut().query::<(&ColliderTile, &GlobalTransform)>();
        let tiles = tiles.iter(app.world()).map(|(tile, position)| {
            let number = terrains.iter().position(|&terrain| terrain == tile.terrain);
            let heights = tile.heights.iter().map(|height| height.to_bits()).collect();
            (number, tile.coord, position.translation().to_array().map(f32::to_bits), heights)
        });
        let mut tiles: Vec<_> = tiles.collect();
        tiles.sort();
        let height = |In(at): In<Vec3>, ground: TerrainGround| ground.height(at);
        let position = at(&app, viewer);
        let height = app.world_mut().run_system_cached_with(height, position).expect("it runs").map(f32::to_bits);
        let origin = app.world().resource::<WorldOrigin>().0.to_array();
        frames.push(Frame { origin, chunks, tiles, height });
    }
    let schedules = app.world().resource::<Schedules>();
    let names = [First.intern(), PreUpdate.intern(), Update.intern(), PostUpdate.intern(), Last.intern()];
    let run = names.into_iter().filter_map(|name| schedules.get(name)).filter_map(|schedule| schedule.systems().ok());
    let order = run.flatten().map(|(_, system)| format!("{:?}", system.name())).collect();
    (order, frames)
}

#[test]
fn any_order_of_unordered_systems_shows_the_same_ground() {
    let (first_order, first) = flight(0);
    let last = &first[FRAMES as usize - 1];
    assert!(last.origin != [0.0; 3] && last.chunks.len() > 100 && !last.tiles.is_empty() && last.height.is_some());
    let mut orders = BTreeSet::from([first_order]);
    for seed in 1..20 {
        let (order, frames) = flight(seed);
        for (number, (frame, first)) in frames.iter().zip(&first).enumerate() {
            assert!(frame == first, "frame {number} differs in the order {seed}: {order:#?}");
        }
        orders.insert(order);
    }
    assert!(orders.len() > 15, "the systems ran in {} orders, with 20 seeds", orders.len());
}
