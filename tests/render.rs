//! The render layer in an app without a window and a GPU: everything up to what Bevy would upload.

mod common;

use bevy::asset::AssetEvent;
use bevy::camera::primitives::Aabb;
use bevy::ecs::message::MessageCursor;
use bevy::log::LogPlugin;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::render_resource::DownlevelFlags;
use bevy::render::settings::{WgpuFeatures, WgpuSettings};
use bevy::shader::{Shader, ShaderCache, ShaderDefVal, ShaderImport};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{ChunkWater, TerrainMaterial, TerrainMaterials, TerrainRenderPlugin};
use common::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Bevy's default plugins without window, log and GPU, and the terrain's.
fn render_app(plugin: TerrainRenderPlugin) -> App {
    let mut app = with_manual_clock(App::new());
    let render_creation = WgpuSettings { backends: None, ..default() }.into();
    app.add_plugins((
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(RenderPlugin { render_creation, ..default() }),
        TerrainPlugins.set(plugin),
    ));
    app.finish();
    app.cleanup();
    app
}

/// An app with settled terrain around the origin.
fn settled_app(plugin: TerrainRenderPlugin, settings: TerrainSettings) -> (App, Entity) {
    let mut app = render_app(plugin);
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    settle(&mut app, terrain);
    app.update();
    (app, terrain)
}

/// The mesh of every chunk that is shown.
fn meshes(app: &mut App) -> BTreeMap<Entity, Handle<Mesh>> {
    let mut chunks = app.world_mut().query_filtered::<(Entity, &Mesh3d), With<ChunkShown>>();
    chunks.iter(app.world()).map(|(entity, mesh)| (entity, mesh.0.clone())).collect()
}

fn ground_material(app: &App, terrain: Entity) -> String {
    let materials = app.world().get::<TerrainMaterials>(terrain).expect("materials are made");
    let materials_of_app = app.world().resource::<Assets<TerrainMaterial>>();
    let material = materials_of_app.get(&materials.ground).expect("the material is there");
    format!("{:?}", material.extension)
}

#[test]
fn every_chunk_becomes_a_mesh_with_the_terrains_material_and_its_bounds() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let ground = app.world().get::<TerrainMaterials>(terrain).expect("materials are made").ground.clone();
    assert!(app.world().get::<Visibility>(terrain).is_some(), "a terrain can be hidden");
    let mut seen = HashSet::new();
    for (coord, entity) in shown(&mut app, terrain) {
        let chunk = app.world().entity(entity);
        assert!(!chunk.contains::<ChunkSurface>(), "{coord:?} keeps its surface");
        assert_eq!(chunk.get::<Visibility>(), Some(&Visibility::Inherited));
        assert_eq!(chunk.get::<MeshMaterial3d<TerrainMaterial>>().expect("a material").0, ground);
        let handle = &chunk.get::<Mesh3d>().expect("a mesh").0;
        assert!(seen.insert(handle.id()), "{coord:?} shares its mesh");
        let mesh = app.world().resource::<Assets<Mesh>>().get(handle).expect("the mesh is there");
        assert_eq!(mesh.indices().expect("triangles").len(), 8 * 8 * 6);
        let Some(VertexAttributeValues::Float32x3(positions)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else {
            panic!("{coord:?} has no positions");
        };
        assert_eq!(positions.len(), 81);
        assert_eq!(mesh.attribute(Mesh::ATTRIBUTE_NORMAL).map(VertexAttributeValues::len), Some(81));
        let bounds = chunk.get::<Aabb>().expect("bounds");
        let of_mesh = Aabb::enclosing(positions.iter().map(|&position| Vec3::from_array(position))).expect("vertices");
        // Centre and half size are rounded in f32, at a size of 32 m and heights up to 50 m.
        assert!((bounds.min() - of_mesh.min()).abs().max_element() < 1e-5, "{coord:?}: {bounds:?}");
        assert!((bounds.max() - of_mesh.max()).abs().max_element() < 1e-5, "{coord:?}: {bounds:?}");
    }
    assert!(seen.len() > 10);
}

#[test]
fn surfaces_are_kept_where_that_is_asked_for() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin { keep_surfaces: true }, small_settings());
    for entity in shown(&mut app, terrain).into_values() {
        let chunk = app.world().entity(entity);
        let surface = &chunk.get::<ChunkSurface>().expect("the surface is kept").0;
        let mesh = app.world().resource::<Assets<Mesh>>().get(&chunk.get::<Mesh3d>().expect("a mesh").0);
        let Some(VertexAttributeValues::Float32x3(positions)) =
            mesh.and_then(|m| m.attribute(Mesh::ATTRIBUTE_POSITION))
        else {
            panic!("no positions");
        };
        assert_eq!(positions, &surface.positions);
    }
}

#[test]
fn without_a_renderer_the_render_plugin_does_nothing() {
    let mut app = with_manual_clock(App::new());
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    settle(&mut app, terrain);
    for entity in shown(&mut app, terrain).into_values() {
        assert!(app.world().get::<ChunkSurface>(entity).is_some());
    }
}

#[test]
fn a_colour_changes_the_material_and_no_mesh() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let (before, meshes_before) = (ground_material(&app, terrain), meshes(&mut app));
    let handles = app.world().get::<TerrainMaterials>(terrain).expect("materials are made").clone();
    let mut mesh_events: MessageCursor<AssetEvent<Mesh>> =
        app.world().resource::<Messages<AssetEvent<Mesh>>>().get_cursor_current();
    edit(&mut app, terrain, |settings| settings.look.rock = [0.9, 0.2, 0.1]);
    app.update();
    assert_ne!(ground_material(&app, terrain), before);
    app.update();
    assert_eq!(mesh_events.read(app.world().resource::<Messages<AssetEvent<Mesh>>>()).count(), 0);
    assert_eq!(meshes(&mut app), meshes_before);
    let after = app.world().get::<TerrainMaterials>(terrain).expect("materials are made");
    assert_eq!((&after.ground, &after.water), (&handles.ground, &handles.water));
    edit(&mut app, terrain, |settings| settings.look = small_settings().look);
    app.update();
    assert_eq!(ground_material(&app, terrain), before);
}

#[test]
fn a_look_that_comes_with_another_ground_waits_for_it() {
    let mut settings = small_settings();
    settings.stream.chunks_per_frame = 2;
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), settings);
    let before = ground_material(&app, terrain);
    edit(&mut app, terrain, |settings| {
        settings.field.seed = 77;
        settings.look.rock = [0.9, 0.2, 0.1];
    });
    app.update();
    let mut frames = 0;
    while state(&app, terrain).is_reloading() {
        assert_eq!(ground_material(&app, terrain), before);
        app.update();
        frames += 1;
        assert!(frames < 100_000, "the reload does not end");
    }
    assert!(frames > 1);
    assert_ne!(ground_material(&app, terrain), before);
}

/// Asserts that a sheet of water at `height` lies over every shown chunk that reaches below it, and over no other.
#[track_caller]
fn assert_water_at(app: &mut App, terrain: Entity, height: Option<f32>) -> usize {
    let mut sheets = app.world_mut().query_filtered::<(&ChildOf, &Transform, &Mesh3d), With<ChunkWater>>();
    let mut wet = BTreeSet::new();
    for (chunk, place, _) in sheets.iter(app.world()) {
        assert!(wet.insert(chunk.parent()), "two sheets over one chunk");
        assert_eq!(place.translation, Vec3::new(16.0, height.expect("there is water, and none is wanted"), 16.0));
        assert_eq!(place.scale, Vec3::new(32.0, 1.0, 32.0));
    }
    let expected: BTreeSet<Entity> = shown(app, terrain)
        .into_values()
        .filter(|&chunk| {
            let bounds = app.world().get::<Aabb>(chunk).expect("bounds");
            height.is_some_and(|height| bounds.min().y < height)
        })
        .collect();
    assert_eq!(wet, expected);
    wet.len()
}

#[test]
fn water_comes_goes_and_moves_with_its_level() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    assert_water_at(&mut app, terrain, None);
    let all = shown(&mut app, terrain).len();
    let set = |app: &mut App, water, height| {
        edit(app, terrain, |settings| {
            settings.look.water = water;
            settings.look.water_height = height;
        });
        app.update();
    };
    set(&mut app, true, 5.0);
    let few = assert_water_at(&mut app, terrain, Some(5.0));
    assert!(0 < few && few < all, "{few} of {all} chunks reach below the water: the test needs some and not all");
    set(&mut app, true, 1000.0);
    assert_eq!(assert_water_at(&mut app, terrain, Some(1000.0)), all);
    set(&mut app, true, 5.0);
    assert_eq!(assert_water_at(&mut app, terrain, Some(5.0)), few);
    set(&mut app, true, -1000.0);
    assert_eq!(assert_water_at(&mut app, terrain, Some(-1000.0)), 0);
    set(&mut app, true, 5.0);

    // Chunks that come later, and those of a reload, have water too.
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    move_to(&mut app, viewer, 100.0, 0.0);
    settle(&mut app, terrain);
    app.update();
    assert_water_at(&mut app, terrain, Some(5.0));
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    settle(&mut app, terrain);
    app.update();
    assert_water_at(&mut app, terrain, Some(5.0));
    set(&mut app, false, 5.0);
    assert_water_at(&mut app, terrain, None);
}

#[test]
fn chunks_of_an_incoming_generation_are_hidden_until_it_is_shown() {
    let mut settings = small_settings();
    settings.stream.chunks_per_frame = 1;
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), settings);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    let mut hidden = 0;
    pump_until(&mut app, "the reload is done", |app| {
        let mut chunks = app.world_mut().query_filtered::<(&Visibility, Has<ChunkShown>), With<TerrainChunk>>();
        for (visibility, shown) in chunks.iter(app.world()) {
            assert_eq!(*visibility, if shown { Visibility::Inherited } else { Visibility::Hidden });
            hidden += usize::from(!shown);
        }
        state(app, terrain).is_settled()
    });
    assert!(hidden > 0, "no chunk ever waited, which tests nothing");
}

/// Bevy uploads a mesh in the frame in which it hears of it. A chunk that is shown before that is a hole for a frame.
#[test]
fn no_chunk_is_shown_before_bevy_has_heard_of_its_mesh() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let mut settings = small_settings();
    settings.stream.chunks_per_frame = 3;
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    let mut events: MessageCursor<AssetEvent<Mesh>> = MessageCursor::default();
    let mut known = HashSet::new();
    for seed in 5..8 {
        edit(&mut app, terrain, |settings| settings.field.seed = seed);
        pump_until(&mut app, "the reload is done", |app| {
            for event in events.read(app.world().resource::<Messages<AssetEvent<Mesh>>>()) {
                if let AssetEvent::Added { id } = event {
                    known.insert(*id);
                }
            }
            for mesh in meshes(app).into_values() {
                assert!(known.contains(&mesh.id()), "a chunk is shown, and nobody was told of its mesh");
            }
            state(app, terrain).is_settled()
        });
    }
    assert!(!known.is_empty());
}

#[test]
fn no_system_of_the_terrain_is_in_doubt_about_its_order() {
    let (app, _) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let found = ambiguities(&app, PostUpdate, TERRAIN_SETS);
    assert!(found.is_empty(), "{found:#?}");
    // The sets are there: a system that uses what they write, with no order, is found.
    let mut app = render_app(TerrainRenderPlugin::default());
    app.add_systems(PostUpdate, |_: Query<&TerrainState>| {});
    app.update();
    assert!(!ambiguities(&app, PostUpdate, TERRAIN_SETS).is_empty());
}

/// Whether `shader` and all that it imports are loaded.
fn all_imports_are_there(shaders: &Assets<Shader>, shader: &Shader) -> bool {
    let mut wanted: Vec<&ShaderImport> = shader.imports.iter().collect();
    let mut seen = HashSet::new();
    while let Some(import) = wanted.pop() {
        if seen.insert(import.clone()) {
            let Some((_, found)) = shaders.iter().find(|(_, shader)| shader.import_path == *import) else {
                return false;
            };
            wanted.extend(&found.imports);
        }
    }
    true
}

#[test]
fn the_shader_is_valid_with_everything_that_it_imports() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let handle: Handle<Shader> =
        app.world().resource::<AssetServer>().load("embedded://bevy_perlin_terrain/render/terrain.wgsl");
    pump_until(&mut app, "the shader and its imports are loaded", |app| {
        let shaders = app.world().resource::<Assets<Shader>>();
        shaders.get(&handle).is_some_and(|shader| all_imports_are_there(shaders, shader))
    });
    let shaders = app.world().resource::<Assets<Shader>>();
    // In debug builds the composer validates what it has composed.
    let mut cache = ShaderCache::<(), ()>::new((), WgpuFeatures::all(), DownlevelFlags::all(), |(), _, _| Ok(()));
    for (id, shader) in shaders.iter() {
        cache.set_shader(id, shader.clone());
    }
    let number = |name: &str, value| ShaderDefVal::UInt(name.to_owned(), value);
    let base = || -> Vec<ShaderDefVal> {
        vec![
            "MESH_PIPELINE".into(),
            "VERTEX_OUTPUT_INSTANCE_INDEX".into(),
            "VERTEX_POSITIONS".into(),
            "VERTEX_NORMALS".into(),
            "VIEW_PROJECTION_PERSPECTIVE".into(),
            "SHADOW_FILTER_METHOD_HARDWARE_2X2".into(),
            number("MATERIAL_BIND_GROUP", 3),
            number("MAX_DIRECTIONAL_LIGHTS", 10),
            number("MAX_CASCADES_PER_LIGHT", 4),
            number("AVAILABLE_STORAGE_BUFFER_BINDINGS", 8),
            ShaderDefVal::Int("SCREEN_SPACE_SPECULAR_TRANSMISSION_BLUR_TAPS".to_owned(), 8),
        ]
    };
    let with = |more: &[&str]| -> Vec<ShaderDefVal> {
        base().into_iter().chain(more.iter().map(|&name| name.into())).collect()
    };
    let variants = [
        with(&[]),
        with(&["BINDLESS", "DISTANCE_FOG", "ENVIRONMENT_MAP"]),
        with(&[
            "PREPASS_PIPELINE",
            "DEFERRED_PREPASS",
            "DEPTH_PREPASS",
            "NORMAL_PREPASS",
            "PREPASS_FRAGMENT",
            "NORMAL_PREPASS_OR_DEFERRED_PREPASS",
        ]),
    ];
    for defs in variants {
        if let Err(error) = cache.get(0, handle.id(), &defs) {
            panic!("with {defs:?}: {error}");
        }
    }
}
