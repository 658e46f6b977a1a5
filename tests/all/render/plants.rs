//! Plants around viewers: which tiles are drawn, and with what.

use super::*;
use bevy::mesh::MeshVertexAttribute;
use bevy_perlin_terrain::field::{EditCircle, EditHeight, EditShape};
use bevy_perlin_terrain::plants::{PlantKind, PlantLayer, PlantSize, RemovedPlants};
use bevy_perlin_terrain::render::DrawnPlants;
use std::sync::Arc;

/// Stones, since each has the same number of vertices, 6 m apart.
fn stones() -> TerrainSettings {
    let size = PlantSize { from: 3.5, to: 5.0 };
    let layer =
        PlantLayer { name: "stone".into(), kind: PlantKind::Stone, spacing: 6.0, size, ..PlantLayer::default() };
    TerrainSettings { plants: vec![layer], ..small_settings() }
}

/// The vertices of a stone in the rings.
const VERTICES: [usize; 3] = [240, 240, 12];

/// The sides of tiles, in metres.
const SIDES: [f64; 3] = [16.0, 64.0, 256.0];

/// A tile that has plants.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tile {
    entity: Entity,
    plants: usize,
    squares: u32,
}

/// The tiles of each ring, by their places along x and z.
fn tiles(app: &mut App) -> [BTreeMap<[i64; 2], Tile>; 3] {
    let mut query = app
        .world_mut()
        .query_filtered::<(Entity, &Mesh3d, &MeshTag, &Transform), (Without<TerrainChunk>, Without<ChunkWater>)>();
    let meshes = app.world().resource::<Assets<Mesh>>();
    let mut found: [BTreeMap<[i64; 2], Tile>; 3] = Default::default();
    for (entity, mesh, tag, place) in query.iter(app.world()) {
        let ring = (tag.value >> 16) as usize;
        let at =
            [place.translation.x, place.translation.z].map(|along| (f64::from(along) / SIDES[ring]).floor() as i64);
        let vertices = meshes.get(&mesh.0).expect("it is not on a GPU").count_vertices();
        assert_eq!(vertices % VERTICES[ring], 0);
        let tile = Tile { entity, plants: vertices / VERTICES[ring], squares: tag.value & 0xffff };
        assert_eq!(found[ring].insert(at, tile), None, "a tile is drawn once");
    }
    found
}

fn wait(app: &mut App, terrain: Entity) {
    pump_until(app, "all plants are drawn", |app| {
        app.world().get::<DrawnPlants>(terrain).is_some_and(DrawnPlants::are_complete)
    });
}

fn drawn_app(settings: TerrainSettings) -> (App, Entity) {
    let (mut app, terrain, _) = settled(high_app(), settings, 400.0);
    app.update();
    wait(&mut app, terrain);
    (app, terrain)
}

fn high_app() -> App {
    render_app(TerrainRenderPlugin::with_quality(TerrainQuality::High))
}

fn change_ground(app: &mut App, terrain: Entity, number: u64, change: TerrainEdit) {
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("every terrain has edits");
    edits.set(number, change).expect("it is allowed");
}

fn plants_in(app: &App, terrain: Entity, ring: usize, at: [i64; 2]) -> usize {
    let min = at.map(|index| index as f64 * SIDES[ring]);
    let plants = state(app, terrain).plants().expect("it is loaded");
    let all = plants.in_box(0, min, min.map(|along| along + SIDES[ring])).expect("a tile is small");
    let removed = app.world().get::<RemovedPlants>(terrain).expect("every terrain has one");
    all.iter().filter(|plant| !removed.contains(plant)).count()
}

#[test]
fn all_plants_around_a_viewer_are_drawn_in_each_ring() {
    let (mut app, terrain, _) = settled(high_app(), stones(), 1500.0);
    app.update();
    wait(&mut app, terrain);
    let drawn = tiles(&mut app);
    for (ring, end) in [48.0, 200.0, 1200.0].into_iter().enumerate() {
        let reach = (end / SIDES[ring]) as i64;
        let mut count = 0;
        for at in (-reach..reach).flat_map(|z| (-reach..reach).map(move |x| [x, z])) {
            // The viewer is at the origin.
            let near = at.map(|index| index.max(-index - 1) as f64 * SIDES[ring]);
            if near[0].hypot(near[1]) <= end {
                let wanted = plants_in(&app, terrain, ring, at);
                assert_eq!(drawn[ring].get(&at).map_or(0, |tile| tile.plants), wanted, "ring {ring}, tile {at:?}");
                count += wanted;
            }
        }
        assert!(count > 40, "{count}");
    }
    // Without plants there is nothing to draw.
    edit(&mut app, terrain, |settings| settings.plants.clear());
    pump_until(&mut app, "no plant is drawn", |app| tiles(app).iter().all(BTreeMap::is_empty));
}

#[test]
fn a_coarse_tile_knows_which_of_its_squares_a_finer_one_draws() {
    let (mut app, _) = drawn_app(stones());
    let tiles = tiles(&mut app);
    for ring in [1, 2] {
        let mut covered = 0;
        for (at, tile) in &tiles[ring] {
            for number in 0..16_i64 {
                let square = [4 * at[0] + number % 4, 4 * at[1] + number / 4];
                let is_drawn = tiles[ring - 1].contains_key(&square);
                // A finer tile without plants covers its square too.
                let has_bit = tile.squares >> number & 1 == 1;
                assert!(has_bit || !is_drawn, "ring {ring}, square {square:?}");
                covered += usize::from(has_bit);
            }
        }
        let finer = tiles[ring - 1].len();
        assert!((finer..finer + finer / 4 + 8).contains(&covered), "{covered} squares for {finer} tiles");
    }
    assert!(tiles[0].values().all(|tile| tile.squares == 0));
}

#[test]
fn one_ring_alone_draws_each_plant_in_every_frame_of_a_flight() {
    let (mut app, terrain) = drawn_app(stones());
    let mut changed = 0;
    let mut last = tiles(&mut app);
    for frame in 0..60 {
        let mut viewers = app.world_mut().query_filtered::<&mut Transform, With<TerrainViewer>>();
        for mut viewer in viewers.iter_mut(app.world_mut()) {
            viewer.translation.x += 12.0;
        }
        app.update();
        let now = tiles(&mut app);
        for ring in [1, 2] {
            for (at, tile) in &now[ring] {
                for number in 0..16_i64 {
                    let square = [4 * at[0] + number % 4, 4 * at[1] + number / 4];
                    let hides = tile.squares >> number & 1 == 1;
                    let is_drawn = now[ring - 1].contains_key(&square);
                    // A hole, or two rings at the same place.
                    assert!(!is_drawn || hides, "frame {frame}, ring {ring}, square {square:?}");
                    let is_empty = || plants_in(&app, terrain, ring - 1, square) == 0;
                    assert!(!hides || is_drawn || is_empty(), "frame {frame}, ring {ring}, square {square:?}");
                }
            }
        }
        changed += usize::from(now != last);
        last = now;
    }
    assert!(changed > 10, "tiles changed in {changed} frames");
}

#[test]
fn tiles_appear_within_the_upload_budget_and_at_least_one_in_a_frame() {
    let mut app = render_app(TerrainRenderPlugin::with_quality(TerrainQuality::High));
    set_budget(&mut app, |budget| budget.upload_budget = 0.01);
    let terrain = add_terrain(&mut app, stones());
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    let count = |app: &mut App| tiles(app).iter().map(BTreeMap::len).sum::<usize>();
    let mut counts = vec![0];
    pump_until(&mut app, "all plants are drawn", |app| {
        counts.push(count(app));
        app.world().get::<DrawnPlants>(terrain).is_some_and(DrawnPlants::are_complete)
    });
    let most = counts.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).max();
    assert_eq!(most, Some(1), "tiles are larger than the budget");
}

#[test]
fn a_removed_plant_is_gone_from_the_near_tile_in_the_same_frame_and_from_the_others_soon() {
    let (mut app, terrain) = drawn_app(stones());
    let plants = state(&app, terrain).plants().expect("it is loaded").clone();
    let felled = plants.near(0, [3.0, 4.0], 20.0).expect("a circle is small")[0];
    let place = [felled.position[0], felled.position[2]];
    let at = |ring: usize| place.map(|along| (along / SIDES[ring]).floor() as i64);
    let before = tiles(&mut app);
    let mut removed = app.world_mut().get_mut::<RemovedPlants>(terrain).expect("every terrain has one");
    assert!(removed.remove(felled.id));
    app.update();
    let plants_of =
        |tiles: &[BTreeMap<[i64; 2], Tile>; 3], ring: usize| tiles[ring].get(&at(ring)).map_or(0, |tile| tile.plants);
    assert_eq!(plants_of(&tiles(&mut app), 0), plants_of(&before, 0) - 1);
    wait(&mut app, terrain);
    let after = tiles(&mut app);
    for ring in 0..3 {
        assert_eq!(plants_of(&after, ring), plants_of(&before, ring) - 1, "ring {ring}");
        // Other tiles stay.
        let others = |tiles: &[BTreeMap<[i64; 2], Tile>; 3]| {
            let mut others = tiles[ring].clone();
            others.remove(&at(ring));
            others
        };
        let entities = |tiles| others(tiles).into_values().map(|tile| tile.entity).collect::<Vec<_>>();
        assert_eq!(entities(&after), entities(&before), "ring {ring}");
    }
    // It grows again.
    let mut removed = app.world_mut().get_mut::<RemovedPlants>(terrain).expect("every terrain has one");
    assert!(removed.restore(felled.id));
    app.update();
    assert_eq!(plants_of(&tiles(&mut app), 0), plants_of(&before, 0));
}

#[test]
fn plants_appear_although_a_game_fells_or_plants_one_in_each_frame() {
    let mut app = high_app();
    let terrain = add_terrain(&mut app, stones());
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    pump_until(&mut app, "the settings are loaded", |app| state(app, terrain).plants().is_some());
    let plants = state(&app, terrain).plants().expect("it is loaded").clone();
    let id = plants.near(0, [3.0, 4.0], 20.0).expect("a circle is small")[0].id;
    // All but the one tile that changes.
    let is_there = |app: &mut App| {
        let tiles = tiles(app);
        (0..3).all(|ring| {
            let [x, z] = [-1, 1].map(|along| along * (25.0 / SIDES[ring]).ceil() as i64);
            tiles[ring].get(&[x, z]).map_or(0, |tile| tile.plants) == plants_in(app, terrain, ring, [x, z])
        })
    };
    assert!(!is_there(&mut app));
    pump_until(&mut app, "the plants elsewhere are drawn", |app| {
        let mut removed = app.world_mut().get_mut::<RemovedPlants>(terrain).expect("every terrain has one");
        if !removed.restore(id) {
            assert!(removed.remove(id));
        }
        is_there(app)
    });
}

#[test]
fn plants_near_the_viewer_follow_an_edit_in_the_same_frame() {
    let (mut app, terrain) = drawn_app(stones());
    // The mean height of the plants of the tile at the origin.
    let heights = |app: &mut App| {
        let entity = tiles(app)[0][&[0, 0]].entity;
        let mesh = app.world().get::<Mesh3d>(entity).expect("it has a mesh").0.clone();
        let mesh = app.world().resource::<Assets<Mesh>>().get(&mesh).expect("it is there").clone();
        let center = |(attribute, _): &(&MeshVertexAttribute, _)| attribute.name == "Plant_Center";
        let Some((_, VertexAttributeValues::Snorm16x4(centers))) = mesh.attributes().find(center) else {
            panic!("centers are vectors");
        };
        let mean = centers.iter().map(|center| f32::from(center[1]) / 32_767.0).sum::<f32>() / centers.len() as f32;
        let place = app.world().get::<Transform>(entity).expect("it has a place");
        place.transform_point(Vec3::Y * mean).y
    };
    let level = TerrainEdit {
        shape: EditShape::Circle(EditCircle { x: 8.0, z: 8.0, radius: 60.0 }),
        change: EditChange::Flatten(EditHeight::above_zero(400.0)),
        ..TerrainEdit::default()
    };
    change_ground(&mut app, terrain, 1, level);
    pump_until(&mut app, "the ground is level", |app| {
        state(app, terrain).plants().is_some_and(|plants| plants.ground().height(8.0, 8.0) > 399.0)
    });
    let mean = heights(&mut app);
    assert!((mean - 400.0).abs() < 2.0, "{mean} m");
}

#[test]
fn plants_have_what_their_terrain_has_from_their_first_frame_and_middle_tiles_cast_no_shadow() {
    use bevy::camera::visibility::RenderLayers;
    use bevy::light::NotShadowCaster;
    let layers = RenderLayers::layer(3);
    let mut app = render_app(TerrainRenderPlugin::with_quality(TerrainQuality::High));
    let terrain = add_terrain(&mut app, stones());
    app.world_mut().entity_mut(terrain).insert((layers.clone(), NotShadowCaster));
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    pump_until(&mut app, "all plants are drawn", |app| {
        let all = tiles(app);
        let follows = |tile: &Tile| app.world().get::<RenderLayers>(tile.entity) == Some(&layers);
        assert!(all.iter().flat_map(BTreeMap::values).all(follows));
        app.world().get::<DrawnPlants>(terrain).is_some_and(DrawnPlants::are_complete)
    });
    app.world_mut().entity_mut(terrain).remove::<NotShadowCaster>();
    pump(&mut app, 2);
    let all = tiles(&mut app);
    let casts = |tile: &Tile| !app.world().entity(tile.entity).contains::<NotShadowCaster>();
    assert!([0, 2].into_iter().flat_map(|ring| all[ring].values()).all(casts));
    assert!(!all[1].is_empty() && !all[1].values().any(casts));
}

#[test]
fn tiles_follow_the_origin_of_their_terrain_in_the_same_frame() {
    let (mut app, terrain) = drawn_app(stones());
    let entities: Vec<Entity> = tiles(&mut app).iter().flat_map(BTreeMap::values).map(|tile| tile.entity).collect();
    let places = |app: &App| -> Vec<Option<Vec3>> {
        entities.iter().map(|&tile| Some(app.world().get::<Transform>(tile)?.translation)).collect()
    };
    let before = places(&app);
    *app.world_mut().get_mut::<TerrainOrigin>(terrain).expect("every terrain has one") = TerrainOrigin::new(16.0, -8.0);
    app.update();
    let moved: Vec<Vec3> = before.iter().zip(places(&app)).filter_map(|(old, new)| Some(new? - (*old)?)).collect();
    assert!(moved.len() > 30, "{} tiles stay", moved.len());
    assert!(moved.iter().all(|by| by.distance(Vec3::new(-16.0, 0.0, 8.0)) < 1e-3), "{moved:?}");
}

#[test]
fn plants_go_with_their_terrain_and_its_ground() {
    let (mut app, terrain) = drawn_app(stones());
    let before = tiles(&mut app);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    pump_until(&mut app, "there is other ground", |app| !state(app, terrain).is_reloading());
    wait(&mut app, terrain);
    let after = tiles(&mut app);
    for (at, tile) in &after[0] {
        assert_eq!(tile.plants, plants_in(&app, terrain, 0, *at), "{at:?}");
        assert_ne!(before[0].get(at).map(|tile| tile.entity), Some(tile.entity));
    }
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    assert!(tiles(&mut app).iter().all(BTreeMap::is_empty));
}

#[test]
fn plants_that_a_game_draws_begin_where_they_are_no_entities() {
    let mut settings = stones();
    settings.plants[0].color = Some([0.3, 0.2, 0.1]);
    let (mut app, terrain) = drawn_app(settings);
    let before = tiles(&mut app);
    edit(&mut app, terrain, |settings| (settings.plants[0].entities, settings.plants[0].own) = (30.0, true));
    app.update();
    wait(&mut app, terrain);
    // The shader leaves them out by their distance, so the tiles have them all.
    let counts = |tiles: &[BTreeMap<[i64; 2], Tile>; 3]| tiles[1].values().map(|tile| tile.plants).sum::<usize>();
    assert_eq!(counts(&tiles(&mut app)), counts(&before));
}

#[test]
fn plants_end_where_the_ground_of_the_viewer_ends() {
    let (mut app, terrain, viewer) = settled(high_app(), stones(), 150.0);
    app.update();
    wait(&mut app, terrain);
    let farthest = |app: &mut App| {
        let coords: Vec<[i64; 2]> = tiles(app)[2].keys().copied().collect();
        coords.iter().flatten().map(|index| (2 * index + 1).abs()).max().expect("there are some")
    };
    // Squares of 256 m around the viewer.
    assert_eq!(farthest(&mut app), 1);
    app.world_mut().get_mut::<TerrainViewer>(viewer).expect("it is one").view_distance = 600.0;
    app.update();
    wait(&mut app, terrain);
    assert_eq!(farthest(&mut app), 5);
}

#[test]
fn a_terrain_without_plants_is_complete_after_an_edit_too() {
    let (mut app, terrain) = drawn_app(small_settings());
    let pit = TerrainEdit {
        shape: EditShape::Circle(EditCircle { radius: 5.0, ..EditCircle::default() }),
        change: EditChange::Raise(Raise { height: -1.0 }),
        ..TerrainEdit::default()
    };
    change_ground(&mut app, terrain, 0, pit);
    pump(&mut app, 3);
    assert!(app.world().get::<DrawnPlants>(terrain).is_some_and(DrawnPlants::are_complete));
}

/// Such as while a designer drags a slider.
#[test]
fn plants_near_the_viewer_follow_a_layer_that_changes_in_each_frame() {
    let (mut app, terrain) = drawn_app(stones());
    let mut before = tiles(&mut app)[0].clone();
    before.retain(|at, _| at.iter().all(|along| along.abs() <= 1));
    assert_eq!(before.len(), 9);
    let mut step = 0;
    pump_until(&mut app, "the nearest tiles are made again", |app| {
        step += 1;
        edit(app, terrain, |settings| settings.plants[0].color = Some([0.5, (step % 100) as f32 / 100.0, 0.5]));
        let now = &tiles(app)[0];
        before.iter().all(|(at, tile)| now.get(at).is_some_and(|now| now.entity != tile.entity))
    });
}

/// So many at once that the ground is built beside the one that is drawn.
#[test]
fn plants_beside_a_large_edit_stay() {
    let (mut app, terrain) = drawn_app(stones());
    let before = tiles(&mut app);
    let field = state(&app, terrain).field().expect("it is loaded").clone();
    let plain = TerrainEdit {
        shape: EditShape::Circle(EditCircle { x: 600.0, z: 600.0, radius: 500.0 }),
        change: EditChange::Raise(Raise { height: 3.0 }),
        ..TerrainEdit::default()
    };
    change_ground(&mut app, terrain, 0, plain);
    app.update();
    assert!(Arc::ptr_eq(&field, state(&app, terrain).field().expect("it is loaded")), "it is not edited at once");
    pump_until(&mut app, "the edited ground is drawn", |app| {
        let now = tiles(app);
        for (at, tile) in before[2].iter().filter(|([x, z], _)| *x < -1 && *z < -1) {
            assert_eq!(now[2].get(at), Some(tile), "it is far from the edit");
        }
        !Arc::ptr_eq(&field, state(app, terrain).field().expect("it is loaded"))
    });
    pump(&mut app, 2);
    let now = tiles(&mut app);
    assert!(before[2].iter().filter(|([x, z], _)| *x < -1 && *z < -1).all(|(at, tile)| now[2].get(at) == Some(tile)));
    assert!(before[0].keys().all(|at| now[0].contains_key(at)));
}
