//! Far from the origin, positions are exact and the ground has the same bits as near it.

#[cfg(feature = "big_space")]
mod in_big_space;
mod origin_shift;

use bevy::ecs::system::RunSystemOnce;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkCoord, ChunkGeometry, ChunkLayout, LodSettings};
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use testing::app::*;

/// Ground with several levels that repeats every 1024 m along x and z.
fn repeating_settings() -> TerrainSettings {
    let mut settings = small_settings();
    settings.lod = LodSettings { pixel_error: 25.0, ..default() };
    let noise = NoiseSettings {
        octaves: 3,
        frequency: 1.0 / 64.0,
        height_scale: 40.0,
        lacunarity: 2.0,
        period_x: 16,
        period_y: 16,
        ..default()
    };
    settings.field.layers = vec![noise.into()];
    settings
}

/// Positions a kilometre, a thousand and a million kilometres away in several directions. x and z differ.
fn far_positions() -> Vec<DVec3> {
    let mut positions = vec![DVec3::ZERO];
    for metres in [1e3, 1e6, 1e9] {
        positions.extend([
            DVec3::new(metres, 0.0, -0.5 * metres),
            DVec3::new(-metres, 0.0, -metres),
            DVec3::new(250.0, 0.0, metres),
            DVec3::new(-metres, 0.0, metres - 375.0),
        ]);
    }
    positions
}

/// The position of the viewer relative to the position that a test is about.
const VIEWER: Vec3 = Vec3::new(3.5, 60.0, -7.25);

const VIEW_DISTANCE: f32 = 400.0;

fn viewer_at(translation: Vec3) -> impl Bundle {
    (TerrainViewer { view_distance: VIEW_DISTANCE }, Transform::from_translation(translation))
}

/// The corner of a chunk, computed with integers.
fn corner(layout: &ChunkLayout, chunk: ChunkCoord) -> DVec3 {
    let steps = ((layout.spacing(0) * 1024.0) as i128 * i128::from(layout.quads())) << chunk.level;
    let metres = |index: i64| (i128::from(index) * steps) as f64 / 1024.0;
    DVec3::new(metres(chunk.x), 0.0, metres(chunk.z))
}

fn drawn_at(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<GlobalTransform>(entity).expect("it has a transform").translation()
}

/// Asserts that all chunks of a terrain without a rotation, drawn or not, have exactly their position relative to `center`, and
/// that drawn neighbors touch. `center` is the position of the terrain at the world origin.
#[track_caller]
fn assert_drawn_from(app: &mut App, terrain: Entity, center: DVec3) {
    assert_seamless(app, terrain);
    let layout = *state(app, terrain).layout().expect("there is ground");
    let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk, &ChunkBounds)>();
    let chunks = chunks.iter(app.world()).filter(|(_, chunk, _)| chunk.terrain == terrain);
    for (entity, &TerrainChunk { coord, .. }, bounds) in chunks {
        let expected = corner(&layout, coord);
        assert_eq!(bounds.min.with_y(0.0), expected, "{coord:?}");
        assert_eq!(drawn_at(app, entity).as_dvec3(), expected - center, "{coord:?} is at another position");
    }
    let drawn = drawn_chunks(app, terrain);
    assert!(drawn.len() > 10, "only {} chunks are drawn", drawn.len());
    let mut borders = 0;
    for (&coord, &entity) in &drawn {
        let side = layout.chunk_size(coord.level) as f32;
        for (dx, dz, axis) in [(1, 0, Vec3::X), (0, 1, Vec3::Z)] {
            if let Some(&neighbor) = drawn.get(&coord.neighbor(dx, dz)) {
                // In `f32`, as on a GPU.
                assert_eq!(
                    drawn_at(app, entity) + axis * side,
                    drawn_at(app, neighbor),
                    "{coord:?} and its neighbor do not touch"
                );
                borders += 1;
            }
        }
    }
    assert!(borders > 10, "only {borders} borders");
}

/// The position of the only viewer in the coordinates of the terrain.
fn viewer_position(app: &App, terrain: Entity) -> DVec3 {
    let mut viewers = state(app, terrain).viewers();
    assert_eq!(viewers.len(), 1);
    DVec3::from_array(viewers.next().expect("a viewer").point.position)
}

/// The drawn chunks with their surfaces. Coordinates are relative to `from`.
fn surfaces(app: &mut App, terrain: Entity, from: DVec3) -> BTreeMap<ChunkCoord, ChunkGeometry> {
    let layout = *state(app, terrain).layout().expect("there is ground");
    let shown = drawn_chunks(app, terrain);
    let counted = |coord: ChunkCoord| {
        let size = layout.chunk_size(coord.level);
        let [x, z] = [from.x / size, from.z / size];
        assert_eq!(
            (x.fract(), z.fract()),
            (0.0, 0.0),
            "the position is not a corner of chunks of level {}",
            coord.level
        );
        ChunkCoord { x: coord.x - x as i64, z: coord.z - z as i64, ..coord }
    };
    let surface = |entity| app.world().get::<ChunkSurface>(entity).expect("a chunk has a surface").0.clone();
    shown.into_iter().map(|(coord, entity)| (counted(coord), surface(entity))).collect()
}

/// Distances, in metres, after which the ground of [`repeating_settings`] repeats and chunks of any drawn level begin.
const REPEATS: [[i64; 2]; 6] = [
    [1 << 10, -3 << 10],
    [-1 << 10, 1 << 11],
    [1 << 20, 1 << 19],
    [-5 << 20, -1 << 20],
    [1 << 30, -3 << 30],
    [-1 << 30, 1 << 12],
];

/// The height of the triangles of level 0 at a position of the terrain.
fn drawn_height(app: &App, terrain: Entity, position: DVec3) -> f32 {
    let ground = state(app, terrain).field().zip(state(app, terrain).layout());
    ground.map(|(field, layout)| surface_height(field, layout, position.x, position.z) as f32).expect("there is ground")
}

#[test]
fn with_a_far_origin_chunks_and_viewers_have_exact_positions() {
    for position in far_positions() {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, repeating_settings());
        let origin = TerrainOrigin::new(position.x + 0.3, position.z - 0.7);
        app.world_mut().entity_mut(terrain).insert(origin);
        app.world_mut().spawn(viewer_at(VIEWER));
        settle(&mut app, terrain);
        assert_eq!(viewer_position(&app, terrain), origin.position() + VIEWER.as_dvec3());
        assert_drawn_from(&mut app, terrain, origin.position());
        assert_nothing_left(&mut app);
        // The ground below the viewer.
        let below = app.world_mut().run_system_once(|ground: TerrainGround| ground.height(VIEWER)).expect("it runs");
        let position = origin.position() + VIEWER.as_dvec3();
        assert_eq!(below, Some(drawn_height(&app, terrain, position)));
    }
}

#[test]
fn repeating_ground_gives_the_same_chunks_at_any_distance() {
    let around = |position: DVec3| {
        let mut app = headless_app();
        let terrain = add_terrain(&mut app, repeating_settings());
        app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(position.x, position.z));
        app.world_mut().spawn(viewer_at(VIEWER));
        settle(&mut app, terrain);
        surfaces(&mut app, terrain, position)
    };
    let here = around(DVec3::ZERO);
    let levels: BTreeSet<u8> = here.keys().map(|coord| coord.level).collect();
    assert!(levels.len() > 2, "only the levels {levels:?} are drawn");
    for [x, z] in REPEATS {
        assert!(around(DVec3::new(x as f64, 0.0, z as f64)) == here, "the ground differs at {x}, {z}");
    }
}

#[test]
fn chunks_follow_the_origin_in_the_same_frame_and_are_not_rebuilt() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, repeating_settings());
    let viewer = app.world_mut().spawn(viewer_at(VIEWER)).id();
    settle(&mut app, terrain);
    let (before, done) = (drawn_chunks(&mut app, terrain), stats(&app).chunks_built);
    // The origin moves, and the viewer moves by the same distance.
    let origin = TerrainOrigin::new(-700.25, 90.0);
    app.world_mut().entity_mut(terrain).insert(origin);
    app.world_mut().get_mut::<Transform>(viewer).expect("a viewer").translation -= origin.position().as_vec3();
    app.update();
    assert!(state(&app, terrain).is_settled());
    assert_eq!((drawn_chunks(&mut app, terrain), stats(&app).chunks_built), (before, done));
    assert_drawn_from(&mut app, terrain, origin.position());
    assert_eq!(viewer_position(&app, terrain), VIEWER.as_dvec3());
}

#[test]
fn parents_of_viewers_and_terrains_are_taken_into_account() {
    let mut app = headless_app();
    let carrier = Transform::from_xyz(40.0, 2.0, -16.0).with_rotation(Quat::from_rotation_y(1.1));
    let ship = app.world_mut().spawn(carrier).id();
    let terrain = add_terrain(&mut app, repeating_settings());
    let stand =
        Transform::from_xyz(-30.0, 5.0, 8.0).with_rotation(Quat::from_rotation_y(-0.4)).with_scale(Vec3::splat(2.0));
    app.world_mut().entity_mut(terrain).insert((stand, TerrainOrigin::new(1e6, -1e6), ChildOf(ship)));
    let mast = Transform::from_xyz(3.0, 10.0, 4.0);
    let viewer = app.world_mut().spawn((viewer_at(VIEWER), ChildOf(ship))).id();
    app.world_mut().entity_mut(viewer).insert(mast);
    settle(&mut app, terrain);
    let expected =
        stand.to_matrix().inverse().transform_point3(mast.translation).as_dvec3() + DVec3::new(1e6, 0.0, -1e6);
    assert!((viewer_position(&app, terrain) - expected).length() < 1e-4);
    // A viewer that is a child of the terrain.
    app.world_mut().entity_mut(viewer).insert(ChildOf(terrain));
    settle(&mut app, terrain);
    assert_eq!(viewer_position(&app, terrain), mast.translation.as_dvec3() + DVec3::new(1e6, 0.0, -1e6));
    // The frame of the terrain gives the same position.
    let drawn = drawn_at(&app, viewer);
    let position = app
        .world_mut()
        .run_system_once(move |terrains: Query<TerrainPosition>| {
            terrains.single().map(|position| position.frame().to_terrain(drawn))
        })
        .expect("it runs")
        .expect("there is a terrain");
    assert!((position - viewer_position(&app, terrain)).length() < 1e-4);
}
