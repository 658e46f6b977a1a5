//! Navigation meshes of terrain, without a window.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::shape::{Aabb3d, BoundingVolume};
use bevy_perlin_terrain::chunk::ChunkSettings;
use bevy_perlin_terrain::field::FieldSettings;
use bevy_perlin_terrain::ground::{GroundAreaError, GroundNotLoaded};
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::plants::{PlantKind, PlantLayer, PlantSize, StandingPlant};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_navigation::{TerrainNavmeshPlugin, ground_box};
use bevy_rerecast::prelude::*;
use bevy_rerecast::rerecast::TriMesh;
use bevy_rerecast::{NavmeshBackend, NavmeshPlugins};
use testing::app::{add_terrain_at, finish, headless_app, pump, pump_until, state};

const CORNERS: [Vec3; 2] = [Vec3::new(40.0, 0.0, -30.0), Vec3::new(-40.0, 0.0, 30.0)];

/// Degrees. Some of [`hills`] are steeper.
const STEEPEST: f32 = 30.0;

/// Hills of 30 m with slopes of up to 50 degrees.
fn hills() -> TerrainSettings {
    let hills = NoiseSettings { octaves: 3, frequency: 0.015, height_scale: 30.0, ..default() };
    TerrainSettings {
        field: FieldSettings { seed: 5, base_height: 100.0, layers: vec![hills.into()], edits: vec![] },
        chunks: ChunkSettings { quads: 8, spacing: 2.0 },
        ..default()
    }
}

fn app() -> App {
    let mut app = headless_app();
    app.add_plugins((NavmeshPlugins::default(), TerrainNavmeshPlugin));
    finish(&mut app);
    app
}

/// Adds hills with position `(x, z)` at the origin of the world, and waits for them.
fn add_hills(app: &mut App, origin: [f64; 2]) -> Entity {
    let terrain = add_terrain_at(app, hills(), origin);
    pump_until(app, "the terrain is loaded", |app| state(app, terrain).field().is_some());
    terrain
}

/// Asks for the ground in a system.
fn ask<T: 'static>(app: &mut App, question: impl FnMut(TerrainGround) -> T + Send + Sync + 'static) -> T {
    app.world_mut().run_system_once(question).expect("the system runs")
}

fn area_of(app: &mut App, terrain: Entity) -> Aabb3d {
    ask(app, move |ground| ground_box(&ground, terrain, CORNERS)).expect("it is loaded").expect("there is a terrain")
}

/// The input that the backend passes to rerecast.
fn input(app: &mut App, settings: NavmeshSettings) -> TriMesh {
    let backend = app.world().resource::<NavmeshBackend>().0;
    app.world_mut().run_system_with(backend, settings).expect("the backend runs")
}

/// The mesh of a box, when its task has ended.
fn build(app: &mut App, aabb: Aabb3d) -> Navmesh {
    let settings = NavmeshSettings {
        aabb: Some(aabb),
        walkable_slope_angle: STEEPEST.to_radians(),
        ..NavmeshSettings::from_agent_3d(0.5, 1.8)
    };
    let request = move |mut generator: NavmeshGenerator| generator.generate(settings.clone());
    let handle = app.world_mut().run_system_once(request).expect("the system runs");
    // The task runs for many frames.
    for _ in 0..300_000 {
        app.update();
        if let Some(mesh) = app.world().resource::<Assets<Navmesh>>().get(&handle) {
            return mesh.clone();
        }
        std::thread::yield_now();
    }
    panic!("no mesh after 300 000 frames");
}

#[test]
fn terrain_without_settings_is_not_loaded_yet_and_no_terrain_has_no_ground() {
    let mut app = app();
    let handle = app.world().resource::<Assets<TerrainSettings>>().reserve_handle();
    let terrain = app.world_mut().spawn(Terrain(handle.clone())).id();
    app.update();
    let ask_box = move |ground: TerrainGround| ground_box(&ground, terrain, CORNERS).map(|found| found.is_some());
    assert_eq!(ask(&mut app, ask_box), Err(GroundAreaError::NotLoaded(GroundNotLoaded)));
    app.world_mut().resource_mut::<Assets<TerrainSettings>>().insert(&handle, hills()).expect("the handle is alive");
    pump(&mut app, 10);
    assert_eq!(ask(&mut app, ask_box), Ok(true));
    app.world_mut().despawn(terrain);
    assert_eq!(ask(&mut app, ask_box), Ok(false));
}

#[test]
fn a_mesh_lies_on_the_ground_that_is_not_too_steep_also_far_away() {
    for origin in [[0.0, 0.0], [1e6, -1e6]] {
        let mut app = app();
        let terrain = add_hills(&mut app, origin);
        let area = area_of(&mut app, terrain);
        let mesh = build(&mut app, area);
        let points = mesh.detail.vertices.clone();
        assert!(points.len() > 100, "{} vertices", points.len());
        let at = points.clone();
        let found = ask(&mut app, move |ground| at.iter().map(|&at| ground.point(at)).collect::<Vec<_>>());
        for (point, found) in points.into_iter().zip(found) {
            let found = found.expect("there is ground");
            assert!((point.y - found.position.y).abs() < 0.6, "{point} is not on the ground at {}", found.position);
            let slope = found.slope().to_degrees();
            assert!(slope <= STEEPEST, "{slope} degrees at {point}");
        }
    }
}

#[test]
fn rerecast_finds_the_triangles_walkable_that_are_level_enough_and_no_others() {
    let mut app = app();
    let terrain = add_hills(&mut app, [0.0; 2]);
    let aabb = Some(area_of(&mut app, terrain));
    let mut mesh = input(&mut app, NavmeshSettings { aabb, ..default() });
    mesh.mark_walkable_triangles(STEEPEST.to_radians());
    let middle =
        |triangle: &UVec3| triangle.to_array().map(|i| Vec3::from(mesh.vertices[i as usize]) / 3.0).iter().sum();
    let middles: Vec<Vec3> = mesh.indices.iter().map(middle).collect();
    let slopes = ask(&mut app, move |ground| middles.iter().filter_map(|&at| ground.slope(at)).collect::<Vec<f32>>());
    assert_eq!(slopes.len(), mesh.indices.len());
    for (slope, area) in slopes.iter().zip(&mesh.area_types) {
        assert_eq!(slope.to_degrees() < STEEPEST, area.is_walkable(), "{} degrees", slope.to_degrees());
    }
    let walkable = mesh.area_types.iter().filter(|area| area.is_walkable()).count();
    assert!((200..slopes.len() - 50).contains(&walkable), "{walkable} of {} triangles", slopes.len());
}

#[test]
fn ground_below_the_box_is_not_walkable() {
    let mut app = app();
    let terrain = add_hills(&mut app, [0.0; 2]);
    let mut area = area_of(&mut app, terrain);
    let water = area.center().y;
    area.min.y = water;
    let mesh = build(&mut app, area);
    assert!(!mesh.detail.vertices.is_empty());
    assert!(mesh.detail.vertices.iter().all(|vertex| vertex.y >= water));
}

#[test]
fn a_mesh_has_the_terrains_that_the_filter_names_and_no_ground_without_a_box() {
    let mut app = app();
    let terrains = [add_hills(&mut app, [0.0; 2]), add_hills(&mut app, [500.0, 0.0])];
    let aabb = Some(area_of(&mut app, terrains[0]));
    let [all, second, none] = [
        NavmeshSettings { aabb, ..default() },
        NavmeshSettings { aabb, filter: Some([terrains[1]].into_iter().collect()), ..default() },
        NavmeshSettings::default(),
    ]
    .map(|settings| input(&mut app, settings));
    assert_eq!(all.indices.len(), 2 * second.indices.len());
    assert!(!second.indices.is_empty() && none.indices.is_empty());
    let heights = |mesh: &TriMesh| mesh.vertices.iter().map(|vertex| vertex.y).collect::<Vec<_>>();
    assert!(heights(&all).ends_with(&heights(&second)));
}

/// Whether a mesh has a triangle over or under a position.
fn is_walkable(mesh: &Navmesh, at: Vec3) -> bool {
    let detail = &mesh.detail;
    detail.meshes.iter().any(|part| {
        let triangles = &detail.triangles[part.base_triangle_index as usize..][..part.triangle_count as usize];
        triangles.iter().any(|corners| {
            let corners = corners.map(|corner| detail.vertices[part.base_vertex_index as usize + corner as usize].xz());
            let sides = [0, 1, 2].map(|i| (corners[(i + 1) % 3] - corners[i]).perp_dot(at.xz() - corners[i]));
            sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
        })
    })
}

#[test]
fn a_mesh_has_no_ground_at_trunks_and_stones_but_under_bushes_and_where_plants_were_removed() {
    let layer = |name: &str, kind, size| {
        let size = PlantSize { from: size, to: size };
        PlantLayer { name: name.to_owned(), kind, size, spacing: 8.0, ..default() }
    };
    let mut settings = hills();
    settings.field.layers.clear();
    settings.plants = vec![
        layer("tree", PlantKind::Conifer, 12.0),
        // So large that an agent would fit into it.
        layer("stone", PlantKind::Stone, 4.0),
        layer("bush", PlantKind::Bush, 2.0),
        PlantLayer { collider: false, ..layer("ghost", PlantKind::Conifer, 12.0) },
    ];
    let mut app = app();
    // Turned, so that a mirrored plant is elsewhere.
    let terrain = add_terrain_at(&mut app, settings, [700.0, -300.0]);
    app.world_mut().entity_mut(terrain).insert(Transform::from_rotation(Quat::from_rotation_y(0.4)));
    pump_until(&mut app, "the terrain is loaded", |app| state(app, terrain).field().is_some());
    pump(&mut app, 2);
    let area = area_of(&mut app, terrain);
    let corners = CORNERS.map(|corner| 0.9 * corner);
    let find = move |plants: TerrainPlants| {
        [0, 1, 2, 3].map(|layer| plants.in_box(terrain, layer, corners).expect("it is loaded"))
    };
    let [trees, stones, bushes, ghosts] = app.world_mut().run_system_once(find).expect("the system runs");
    assert!(trees.len() > 20 && stones.len() > 5 && bushes.len() > 5 && ghosts.len() > 1);
    let mesh = build(&mut app, area);
    let walkable = |mesh: &Navmesh, plants: &[StandingPlant]| {
        plants.iter().filter(|plant| is_walkable(mesh, plant.transform.translation)).count()
    };
    assert_eq!((walkable(&mesh, &trees), walkable(&mesh, &stones)), (0, 0));
    // An agent of half a metre keeps its distance from a trunk.
    let beside = |distance: f32| {
        let place = trees.iter().map(|tree| tree.transform.translation + Vec3::X * distance);
        place.filter(|place| is_walkable(&mesh, *place)).count()
    };
    assert_eq!((beside(0.6), beside(-0.6)), (0, 0));
    assert!(beside(2.0) > trees.len() * 3 / 4, "{} of {}", beside(2.0), trees.len());
    // Trees and stones beside them may be in the way.
    for plants in [&bushes, &ghosts] {
        assert!(walkable(&mesh, plants) * 4 > plants.len() * 3, "{} of {}", walkable(&mesh, plants), plants.len());
    }
    let felled = trees[0].plant.id;
    let fell = move |mut plants: TerrainPlants| plants.remove(terrain, felled);
    assert!(app.world_mut().run_system_once(fell).expect("the system runs"));
    let mesh = build(&mut app, area);
    assert_eq!((walkable(&mesh, &trees[..1]), walkable(&mesh, &trees[1..])), (1, 0));
}
