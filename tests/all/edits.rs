//! Edits of the ground while a game runs: chunks, tiles, queries and messages follow in the same frame.

mod reloads;

use bevy::ecs::system::SystemState;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkBuilder, ChunkCoord, ChunkLayout, surface_height};
use bevy_perlin_terrain::field::{
    EditChange, EditCircle, EditHeight, EditHill, EditMap, EditPath, EditShape, FieldArea, HeightField, HillShape,
    PathPoint, Raise, TerrainEdit,
};
use bevy_perlin_terrain::ground::RaySettings;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::ChunkSurface;
use std::collections::BTreeMap;
use testing::app::log::warnings_of;
use testing::app::messages::{record_messages, take_messages};
use testing::app::*;

fn circle(x: f64, z: f64, radius: f64) -> EditShape {
    EditShape::Circle(EditCircle { x, z, radius })
}

/// Raises a circle with a cliff around it.
fn raise(shape: EditShape) -> TerrainEdit {
    TerrainEdit { shape, change: EditChange::Raise(Raise { height: 7.0 }), fade: 0.0, ..TerrainEdit::default() }
}

fn edits(app: &mut App, terrain: Entity) -> Mut<'_, TerrainEdits> {
    app.world_mut().get_mut::<TerrainEdits>(terrain).expect("every terrain has edits")
}

fn set(app: &mut App, terrain: Entity, id: u64, edit: TerrainEdit) {
    edits(app, terrain).set(id, edit).expect("the edit is allowed");
}

/// An edit near a point: a crater, a mound, level ground or a path.
fn any_edit(rng: &mut NoiseRng, [x, z]: [f64; 2]) -> TerrainEdit {
    let mut near = |of: f64| of + rng.next_in(-60.0, 60.0);
    let [a, b, c] = [[near(x), near(z)], [near(x), near(z)], [near(x), near(z)]];
    let radius = rng.next_in(0.5, 20.0);
    let (shape, change) = match rng.next_u32() % 4 {
        0 => {
            (circle(a[0], a[1], radius), EditChange::Hill(EditHill { shape: HillShape::Crater, height: radius / 3.0 }))
        }
        1 => (circle(a[0], a[1], radius), EditChange::Raise(Raise { height: rng.next_in(-4.0, 4.0) })),
        2 => (circle(a[0], a[1], radius), EditChange::Flatten(EditHeight::above_ground(1.0))),
        _ => {
            let points = [a, b, c].map(PathPoint::from).to_vec();
            (EditShape::Path(EditPath { points, width: radius / 2.0 }), EditChange::Fill(EditHeight::above_ground(0.5)))
        }
    };
    TerrainEdit { shape, change, fade: rng.next_in(0.0, 6.0), ..TerrainEdit::default() }
}

/// Checks that every drawn chunk has the surface that its ground has now, in its mesh and in its box. Returns how many there are.
#[track_caller]
fn assert_surfaces(app: &mut App, terrain: Entity) -> usize {
    let drawn = drawn_chunks(app, terrain);
    let state = state(app, terrain);
    let (field, layout) = (state.field().expect("there is ground"), state.layout().expect("there is ground"));
    let mut builder = ChunkBuilder::default();
    for (&coord, &entity) in &drawn {
        let surface = &app.world().get::<ChunkSurface>(entity).expect("a headless chunk keeps its surface").0;
        let wanted = builder.build(field, layout, coord);
        assert!(*surface == wanted, "{coord:?} has old ground");
        let heights = wanted.positions.iter().map(|position| f64::from(position[1]));
        let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y| [low.min(y), high.max(y)]);
        let bounds = app.world().get::<ChunkBounds>(entity).expect("every chunk has a box");
        assert!(bounds.min.y <= low && bounds.max.y >= high, "{coord:?} reaches out of its box");
    }
    drawn.len()
}

/// Checks that every tile around bodies has the heights that the ground has now.
#[track_caller]
fn assert_tiles(app: &mut App, terrain: Entity) {
    let mut query = app.world_mut().query::<&ColliderTile>();
    let tiles: Vec<ColliderTile> = query.iter(app.world()).cloned().collect();
    let field = state(app, terrain).field().expect("there is ground").clone();
    for tile in &tiles {
        let spacing = tile.size() / ColliderTile::QUADS as f64;
        for (index, &height) in tile.heights.iter().enumerate() {
            let [column, row] = [index % ColliderTile::SIDE, index / ColliderTile::SIDE].map(|at| at as f64 - 1.0);
            let (x, z) = (tile.bounds.min.x + column * spacing, tile.bounds.min.z + row * spacing);
            assert_eq!(height, field.height(x, z), "tile {:?} at {x}, {z}", tile.coord);
        }
    }
    let by_coord: BTreeMap<_, _> = tiles.iter().map(|tile| (tile.coord, ())).collect();
    assert_eq!(by_coord.len(), tiles.len(), "a tile is there twice");
}

/// The settings of the tests, with levels.
fn settings() -> TerrainSettings {
    settings_with_levels(4.0)
}

#[test]
fn an_edit_is_there_in_its_frame_and_touches_nothing_else() {
    let mut app = headless_app();
    record_messages(&mut app);
    let (mut app, terrain, _) = settled(app, settings(), 800.0);
    take_messages(&mut app);
    let (before, loaded) = (drawn_chunks(&mut app, terrain), chunk_entities(&mut app));
    let old = HeightField::clone(state(&app, terrain).field().expect("there is ground"));
    set(&mut app, terrain, 7, raise(circle(40.0, 24.0, 5.0)));
    app.update();
    assert!(!state(&app, terrain).is_reloading());
    assert_eq!(drawn_chunks(&mut app, terrain), before, "no entity changed");
    assert_surfaces(&mut app, terrain);
    assert_seamless(&mut app, terrain);
    let field = state(&app, terrain).field().expect("there is ground").clone();
    assert_eq!(field.height(40.0, 24.0), old.height(40.0, 24.0) + 7.0);
    let touched = before.keys().filter(|&&coord| {
        let layout = state(&app, terrain).layout().expect("there is ground");
        layout.area(coord, 2).meets(&FieldArea::around([40.0, 24.0], 5.01))
    });
    assert_eq!(stats(&app).chunks_rebuilt, touched.count());
    assert!((1..=4).contains(&stats(&app).chunks_rebuilt), "{:?}", stats(&app));
    let messages = take_messages(&mut app);
    let [GroundEdited { terrain: of, bounds, .. }] = messages.edited[..] else { panic!("{messages:?}") };
    assert!(
        of == terrain
            && bounds.contains(40.0, 24.0)
            && bounds.contains(44.9, 24.0)
            && bounds.contains(48.9, 24.0)
            && !bounds.contains(50.0, 24.0)
    );
    assert!(messages.shown.is_empty() && messages.ground_shown.is_empty() && messages.ground_hidden.is_empty());
    let changes: Vec<_> = edits(&mut app, terrain).changes().map(|(id, edit)| (id, edit.is_some())).collect();
    assert_eq!(changes, [(7, true)]);
    // Hidden chunks are built again in tasks.
    settle(&mut app, terrain);
    assert_eq!(chunk_entities(&mut app), loaded);
    assert!(edits(&mut app, terrain).changes().len() == 0, "they are those of one frame");
    assert!(take_messages(&mut app).edited.is_empty());
    assert!(edits(&mut app, terrain).remove(7).is_some());
    app.update();
    assert_surfaces(&mut app, terrain);
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), old);
    assert_eq!(
        edits(&mut app, terrain).changes().map(|(id, edit)| (id, edit.is_some())).collect::<Vec<_>>(),
        [(7, false)]
    );
    assert_eq!(take_messages(&mut app).edited.len(), 1);
}

#[test]
fn queries_answer_with_the_edit_in_its_frame() {
    let (mut app, terrain, _) = settled(headless_app(), settings(), 500.0);
    let mut system = SystemState::<TerrainGround>::new(app.world_mut());
    let mut rng = NoiseRng::new(3, 0);
    for id in 0..40 {
        set(&mut app, terrain, id, any_edit(&mut rng, [0.0, 0.0]));
        app.update();
        let ground = system.get(app.world()).expect("it can be read");
        let field = state(&app, terrain).field().expect("there is ground").clone();
        let layout = *state(&app, terrain).layout().expect("there is ground");
        for _ in 0..10 {
            let [x, z] = [rng.next_in(-70.0, 70.0), rng.next_in(-70.0, 70.0)];
            let at = Vec3::new(x as f32, 500.0, z as f32);
            let height = surface_height(&field, &layout, at.x.into(), at.z.into()) as f32;
            assert_eq!(ground.height(at), Some(height));
            let hit = ground
                .ray(Ray3d::new(at, Dir3::NEG_Y), &RaySettings::default())
                .expect("it is loaded")
                .expect("there is ground");
            assert!((hit.position.y - height).abs() < 1e-3, "{hit:?} at {height}");
        }
    }
}

#[test]
fn a_flight_over_ground_that_is_edited_in_every_frame_has_no_seam_and_no_old_chunk() {
    for mut app in [headless_app(), app_without_threads()] {
        set_budget(&mut app, |budget| budget.chunks_per_frame = 8);
        let (mut app, terrain, viewer) = settled(app, settings(), 700.0);
        let mut rng = NoiseRng::new(11, 0);
        let mut rebuilt = 0;
        for frame in 0..120_u16 {
            let x = f64::from(frame) * 9.0;
            move_to(&mut app, viewer, x as f32, 0.0);
            // Some of them replace others, and some of those are far behind.
            let id = u64::from(rng.next_u32() % 60);
            if frame % 5 == 4 {
                edits(&mut app, terrain).remove(id);
            } else {
                set(&mut app, terrain, id, any_edit(&mut rng, [x + 50.0, 0.0]));
            }
            app.update();
            rebuilt += stats(&app).chunks_rebuilt;
            assert!(!state(&app, terrain).is_reloading());
            assert_surfaces(&mut app, terrain);
            if frame % 8 == 0 {
                assert_seamless(&mut app, terrain);
            }
        }
        assert!(rebuilt > 200, "{rebuilt}");
        settle(&mut app, terrain);
        assert_surfaces(&mut app, terrain);
        assert_seamless(&mut app, terrain);
        assert_nothing_left(&mut app);
    }
}

#[test]
fn an_edit_at_any_border_of_levels_leaves_no_old_vertex() {
    let (mut app, terrain, _) = settled(headless_app(), settings(), 800.0);
    let drawn: Vec<ChunkCoord> = drawn_chunks(&mut app, terrain).into_keys().collect();
    let layout: ChunkLayout = *state(&app, terrain).layout().expect("there is ground");
    let mut rng = NoiseRng::new(5, 0);
    for step in 0..150 {
        let coord = drawn[rng.next_u32() as usize % drawn.len()];
        let ([west, north], size) = (layout.origin(coord), layout.chunk_size(coord.level));
        // At a vertex near a corner or a border, so small that nothing else has it.
        let spacing = layout.spacing(coord.level);
        let mut vertex = |from: f64| match rng.next_u32() % 3 {
            0 => from + spacing * f64::from(rng.next_u32() % 4),
            1 => from + size + spacing * f64::from(rng.next_u32() % 4),
            _ => from - spacing * f64::from(rng.next_u32() % 4),
        };
        let shape = circle(vertex(west), vertex(north), 0.1);
        set(&mut app, terrain, step % 3, raise(shape));
        app.update();
        assert_surfaces(&mut app, terrain);
    }
}

#[test]
fn edits_of_the_settings_follow_without_a_reload_and_come_first() {
    let (mut app, terrain, _) = settled(headless_app(), settings(), 500.0);
    let flatten = EditChange::Flatten(EditHeight::above_zero(50.0));
    let flatten = TerrainEdit { change: flatten, ..raise(circle(20.0, 20.0, 9.0)) };
    set(&mut app, terrain, 0, raise(circle(20.0, 20.0, 3.0)));
    edit(&mut app, terrain, |settings| settings.field.edits = vec![raise(circle(-30.0, 0.0, 9.0)), flatten.clone()]);
    app.update();
    assert!(!state(&app, terrain).is_reloading());
    assert_surfaces(&mut app, terrain);
    let field = state(&app, terrain).field().expect("there is ground").clone();
    assert_eq!(field.height(20.0, 20.0), 57.0);
    edit(&mut app, terrain, |settings| drop(settings.field.edits.remove(0)));
    app.update();
    assert!(!state(&app, terrain).is_reloading());
    let mut wanted = settings();
    wanted.field.edits = vec![flatten];
    let mut map = EditMap::default();
    map.set(0, raise(circle(20.0, 20.0, 3.0))).expect("it is allowed");
    let wanted = HeightField::new(&wanted.field).with_edits(&map);
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), wanted);
    assert_surfaces(&mut app, terrain);
    // Edits that are not allowed leave the last ones.
    edit(&mut app, terrain, |settings| settings.field.edits[0].fade = -1.0);
    app.update();
    assert_eq!(problems(&app, terrain), ["`field.edits[0].fade` is -1.0, allowed: 0 to 10000 m"]);
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), wanted);
}

#[test]
fn a_whole_list_replaces_another_one() {
    let (mut app, terrain, _) = settled(headless_app(), settings(), 500.0);
    let plain = HeightField::clone(state(&app, terrain).field().expect("there is ground"));
    let mut map = EditMap::default();
    map.set(3, raise(circle(0.0, 0.0, 5.0))).expect("it is allowed");
    let height = |app: &App, x: f64| {
        let field = state(app, terrain).field().expect("there is ground");
        (field.height(x, 0.0) - plain.height(x, 0.0)).round()
    };
    set(&mut app, terrain, 3, raise(circle(40.0, 0.0, 5.0)));
    app.update();
    assert_eq!([height(&app, 0.0), height(&app, 40.0)], [0.0, 7.0]);
    *edits(&mut app, terrain) = map.clone().into();
    app.update();
    assert_eq!([height(&app, 0.0), height(&app, 40.0)], [7.0, 0.0]);
    assert_surfaces(&mut app, terrain);
    let clone = edits(&mut app, terrain).clone();
    set(&mut app, terrain, 4, raise(circle(40.0, 0.0, 5.0)));
    app.update();
    assert_eq!([height(&app, 0.0), height(&app, 40.0)], [7.0, 7.0]);
    app.world_mut().entity_mut(terrain).insert(clone);
    app.update();
    assert_eq!([height(&app, 0.0), height(&app, 40.0)], [7.0, 0.0]);
    app.world_mut().entity_mut(terrain).remove::<TerrainEdits>();
    app.update();
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), plain);
    assert_surfaces(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    settle(&mut app, terrain);
    assert_ne!(**state(&app, terrain).field().expect("there is ground"), plain, "settings need no edits");
}

#[test]
fn edits_are_saved_loaded_and_refused() {
    let (mut app, terrain, _) = settled(headless_app(), settings(), 500.0);
    set(&mut app, terrain, 3, raise(circle(0.0, 0.0, 5.0)));
    app.update();
    let field = state(&app, terrain).settings().expect("they are loaded").field.clone();
    let edited = state(&app, terrain).field().expect("there is ground").clone();
    let saved = edits(&mut app, terrain).save(&field);
    edits(&mut app, terrain).remove(3);
    app.update();
    assert_ne!(state(&app, terrain).field(), Some(&edited));
    let error = edits(&mut app, terrain).set(9, TerrainEdit { fade: f64::NAN, ..TerrainEdit::default() });
    assert_eq!(error.expect_err("it is no number").to_string(), "`fade` is NaN, allowed: 0 to 10000 m");
    assert!(edits(&mut app, terrain).is_empty());
    edits(&mut app, terrain).load(&saved).expect("it is allowed");
    let warnings = warnings_of(&mut app, |app| pump(app, 2));
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(state(&app, terrain).field(), Some(&edited));
    edit(&mut app, terrain, |settings| settings.field.seed = 9);
    settle(&mut app, terrain);
    edits(&mut app, terrain).load(&saved).expect("it is allowed");
    let warnings = warnings_of(&mut app, |app| pump(app, 2));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("its edits were saved on ground with other settings"), "{warnings:?}");
    assert_eq!(edits(&mut app, terrain).len(), 1, "they stay");
}

#[test]
fn tiles_under_bodies_are_replaced_in_the_frame_of_the_edit_and_the_others_soon() {
    for mut app in [headless_app(), app_without_threads()] {
        let terrain = add_terrain(&mut app, small_settings());
        let body = (Transform::from_xyz(10.0, 300.0, 10.0), KeepGround { radius: 120.0, ahead: 0.0 });
        app.world_mut().spawn(body);
        let settled = |app: &mut App| state(app, terrain).has_all_collider_tiles();
        pump_until(&mut app, "all tiles are there", settled);
        let mut query = app.world_mut().query::<(Entity, &ColliderTile)>();
        let before: BTreeMap<_, _> = query.iter(app.world()).map(|(entity, tile)| (tile.coord, entity)).collect();
        let mut rng = NoiseRng::new(2, 0);
        for id in 0..25 {
            set(&mut app, terrain, id, any_edit(&mut rng, [0.0, 0.0]));
            app.update();
            let field = state(&app, terrain).field().expect("there is ground").clone();
            let tiles: Vec<_> = query.iter(app.world()).map(|(_, tile)| tile.clone()).collect();
            let under = tiles.iter().find(|tile| tile.coord == [0, 0]).expect("it is under the body");
            assert_eq!(under.heights[ColliderTile::SIDE + 1], field.height(0.0, 0.0));
            let at = |x: usize, z: usize| under.heights[(z + 1) * ColliderTile::SIDE + x + 1];
            for [x, z] in [[0, 0], [3, 2], [10, 11], [32, 32]] {
                assert_eq!(at(x, z), field.height(4.0 * x as f64, 4.0 * z as f64));
            }
            assert_eq!(stats(&app).bodies_waiting, 0);
        }
        pump_until(&mut app, "all tiles are there again", settled);
        assert_tiles(&mut app, terrain);
        // The vertex beyond the border of a tile.
        for (id, [x, z]) in (100..).zip([[20.0, -4.0], [-4.0, 20.0], [132.0, 60.0], [132.0, 132.0]]) {
            set(&mut app, terrain, id, raise(circle(x, z, 0.1)));
            app.update();
            pump_until(&mut app, "all tiles are there again", settled);
            assert_tiles(&mut app, terrain);
        }
        let after: BTreeMap<_, _> = query.iter(app.world()).map(|(entity, tile)| (tile.coord, entity)).collect();
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        let kept = before.iter().filter(|(coord, entity)| after.get(*coord) == Some(entity)).count();
        assert!(kept > 0 && kept < before.len(), "{kept} of {} tiles are as before", before.len());
    }
}

#[test]
fn a_server_without_viewers_follows_edits_and_says_so() {
    let mut app = headless_app();
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, small_settings());
    app.update();
    set(&mut app, terrain, 0, raise(circle(0.0, 0.0, 5000.0)));
    app.update();
    assert_eq!(take_messages(&mut app).edited.len(), 1);
    assert!(!state(&app, terrain).is_reloading());
    let plain = HeightField::new(&small_settings().field);
    let field = state(&app, terrain).field().expect("there is ground");
    assert_eq!(field.height(3.0, 4.0), plain.height(3.0, 4.0) + 7.0);
}

#[test]
fn areas_of_messages_are_in_the_coordinates_of_the_terrain() {
    let mut app = headless_app();
    record_messages(&mut app);
    let terrain = add_terrain_at(&mut app, small_settings(), [1e6, -1e6]);
    add_viewer(&mut app, 0.0, 0.0, 300.0);
    settle(&mut app, terrain);
    set(&mut app, terrain, 0, raise(circle(1e6 + 8.0, -1e6, 5.0)));
    app.update();
    assert_surfaces(&mut app, terrain);
    let edited = take_messages(&mut app).edited;
    assert!(edited[0].bounds.contains(1e6 + 8.0, -1e6), "{edited:?}");
    assert!((edited[0].bounds.size() * DVec3::new(1.0, 0.0, 1.0) - DVec3::new(18.0, 0.0, 18.0)).length() < 0.1);
}

#[test]
fn ground_that_is_edited_in_every_frame_gets_its_full_detail() {
    for mut app in [headless_app(), app_without_threads()] {
        set_budget(&mut app, |budget| budget.chunks_per_frame = 8);
        let (mut app, terrain, viewer) = settled(app, settings(), 500.0);
        let mut rng = NoiseRng::new(8, 0);
        for jump in 1..4_u16 {
            let x = 9000.0 * f64::from(jump);
            move_to(&mut app, viewer, x as f32, 0.0);
            let mut frames = 0;
            pump_until(&mut app, "the viewer has all detail", |app| {
                frames += 1;
                assert_surfaces(app, terrain);
                set(app, terrain, frames % 9, any_edit(&mut rng, [x, 0.0]));
                state(app, terrain).is_settled()
            });
        }
    }
}

#[test]
fn edits_don_t_take_readiness_away() {
    let mut app = headless_app();
    record_messages(&mut app);
    let (mut app, terrain, _) = settled(app, settings(), 500.0);
    take_messages(&mut app);
    for id in 0..20 {
        set(&mut app, terrain, id, raise(circle(10.0 * id as f64, 0.0, 5.0)));
        app.update();
        assert!(state(&app, terrain).is_settled());
    }
    assert!(take_messages(&mut app).ready.is_empty());
    settle(&mut app, terrain);
    // All chunks have the edits, also those that are not drawn.
    let (field, layout) = (state(&app, terrain).field().expect("there is ground"), state(&app, terrain).layout());
    let (field, layout) = (field.clone(), *layout.expect("there is ground"));
    let mut chunks = app.world_mut().query::<(&TerrainChunk, &ChunkSurface)>();
    for (chunk, surface) in chunks.iter(app.world()) {
        assert!(surface.0 == ChunkBuilder::default().build(&field, &layout, chunk.coord), "{:?}", chunk.coord);
    }
}

#[test]
fn an_edit_that_is_set_again_is_no_change() {
    let (mut app, terrain, _) = settled(headless_app(), settings(), 300.0);
    let crater = raise(circle(0.0, 0.0, 5.0));
    set(&mut app, terrain, 0, crater.clone());
    app.update();
    assert_eq!(edits(&mut app, terrain).changes().len(), 1);
    set(&mut app, terrain, 0, crater);
    app.update();
    assert_eq!(edits(&mut app, terrain).changes().len(), 0);
    assert_eq!(stats(&app).chunks_rebuilt, 0);
}

#[test]
fn many_edits_at_once_are_one_message() {
    let mut app = headless_app();
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, small_settings());
    app.update();
    for id in 0..2000_u32 {
        set(&mut app, terrain, id.into(), raise(circle(f64::from(id) * 30.0, 0.0, 5.0)));
    }
    app.update();
    let edited = take_messages(&mut app).edited;
    assert!(edited.len() == 1 && edited[0].bounds.contains(0.0, 0.0) && edited[0].bounds.contains(59_970.0, 0.0));
}
