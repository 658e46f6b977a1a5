//! The render layer in an app without a window and a GPU: everything up to what Bevy would upload.

mod shaders;
mod visibility;

use crate::common::log::terrain_spans_of;
use crate::common::render::render_app;
use crate::common::*;
use bevy::asset::{AssetEvent, RenderAssetUsages};
use bevy::camera::RenderTarget;
use bevy::camera::primitives::Aabb;
use bevy::ecs::message::MessageCursor;
use bevy::mesh::{MeshTag, VertexAttributeValues};
use bevy::prelude::*;
use bevy::reflect::ReflectMut;
use bevy::render::render_resource::{DownlevelFlags, TextureFormat};
use bevy::render::settings::WgpuFeatures;
use bevy::shader::{Shader, ShaderCache, ShaderDefVal, ShaderImport};
use bevy_perlin_terrain::chunk::{ChunkLayout, StitchMask};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{
    ATTRIBUTE_COARSE_HEIGHT, ATTRIBUTE_NORMALS, ChunkWater, TerrainMaterial, TerrainMaterials, TerrainRenderPlugin,
};
use bevy_perlin_terrain::stream::ViewerLens;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// An app with settled terrain around the origin.
fn settled_app(plugin: TerrainRenderPlugin, settings: TerrainSettings) -> (App, Entity) {
    let mut app = render_app(plugin);
    let terrain = add_terrain(&mut app, settings);
    add_viewer(&mut app, 0.0, 0.0, 80.0);
    settle(&mut app, terrain);
    app.update();
    (app, terrain)
}

/// Every chunk that is there, shown or not.
fn chunks(app: &mut App) -> Vec<(ChunkCoord, Entity)> {
    let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk)>();
    chunks.iter(app.world()).map(|(entity, chunk)| (chunk.coord, entity)).collect()
}

/// What Bevy is told of meshes from now on.
fn mesh_events(app: &App) -> MessageCursor<AssetEvent<Mesh>> {
    app.world().resource::<Messages<AssetEvent<Mesh>>>().get_cursor_current()
}

/// The mesh of every chunk that is shown.
fn meshes(app: &mut App) -> BTreeMap<Entity, Handle<Mesh>> {
    let mut chunks = app.world_mut().query::<(Entity, &Mesh3d, &ChunkDrawn)>();
    let shown = chunks.iter(app.world()).filter(|(.., drawn)| drawn.is_drawn());
    shown.map(|(entity, mesh, _)| (entity, mesh.0.clone())).collect()
}

/// Asserts that the chunks that are shown can be seen and no others. Returns which are shown.
#[track_caller]
fn assert_shown_is_visible(app: &mut App) -> HashSet<Entity> {
    let mut chunks = app.world_mut().query_filtered::<(Entity, &Visibility, &ChunkDrawn), With<TerrainChunk>>();
    let mut shown = HashSet::new();
    for (entity, visibility, now) in chunks.iter(app.world()) {
        assert_eq!(*visibility, if now.is_drawn() { Visibility::Inherited } else { Visibility::Hidden });
        if now.is_drawn() {
            shown.insert(entity);
        }
    }
    shown
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
    let layout = *state(&app, terrain).layout().expect("there is ground");
    let mut seen = HashSet::new();
    for (coord, entity) in chunks(&mut app) {
        let chunk = app.world().entity(entity);
        assert!(!chunk.contains::<ChunkSurface>(), "{coord:?} keeps its surface");
        assert_eq!(chunk.get::<MeshMaterial3d<TerrainMaterial>>().expect("a material").0, ground);
        assert_eq!(
            chunk.get::<MeshTag>(),
            Some(&MeshTag(coord.level.into())),
            "the shader learns the level by the tag"
        );
        let handle = &chunk.get::<Mesh3d>().expect("a mesh").0;
        assert!(seen.insert(handle.id()), "{coord:?} shares its mesh");
        let mesh = app.world().resource::<Assets<Mesh>>().get(handle).expect("the mesh is there");
        assert_eq!(mesh.indices().expect("triangles").len(), 8 * 8 * 6);
        assert_eq!(mesh.get_vertex_size(), 24);
        let Some(VertexAttributeValues::Float32x3(positions)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else {
            panic!("{coord:?} has no positions");
        };
        assert_eq!(positions.len(), 81);
        for attribute in [ATTRIBUTE_NORMALS, ATTRIBUTE_COARSE_HEIGHT] {
            assert_eq!(mesh.attribute(attribute).map(VertexAttributeValues::len), Some(81), "{coord:?}: {attribute:?}");
        }
        let bounds = chunk.get::<Aabb>().expect("bounds");
        let of_mesh = Aabb::enclosing(positions.iter().map(|&position| Vec3::from_array(position))).expect("vertices");
        // Center and half size are rounded in f32, at the size of the chunk and heights up to 50 m.
        let rounding = 1e-6 * layout.chunk_size(coord.level) as f32;
        assert!((bounds.min() - of_mesh.min()).abs().max_element() < rounding, "{coord:?}: {bounds:?}");
        assert!((bounds.max() - of_mesh.max()).abs().max_element() < rounding, "{coord:?}: {bounds:?}");
    }
    assert!(seen.len() > 10);
}

#[test]
fn with_plain_meshes_a_game_gives_chunks_any_material() {
    let mut app = render_app(TerrainRenderPlugin { plain_meshes: true, ..default() });
    let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial::default());
    let of_game = material.clone();
    app.add_observer(move |mesh: On<Add, Mesh3d>, grounds: Query<&ChunkBounds>, mut commands: Commands| {
        if grounds.contains(mesh.entity) {
            commands.entity(mesh.entity).insert(MeshMaterial3d(of_game.clone()));
        }
    });
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    settle(&mut app, terrain);
    let mut borders = 0;
    for (coord, entity) in chunks(&mut app) {
        let chunk = app.world().entity(entity);
        assert!(!chunk.contains::<MeshMaterial3d<TerrainMaterial>>(), "{coord:?} has a material of the crate's");
        assert_eq!(chunk.get::<MeshMaterial3d<StandardMaterial>>().map(|material| &material.0), Some(&material));
        let mesh = app.world().resource::<Assets<Mesh>>().get(&chunk.get::<Mesh3d>().expect("a mesh").0);
        let mesh = mesh.expect("the mesh is there");
        assert_eq!(mesh.get_vertex_size(), 24);
        assert_eq!(mesh.attribute(Mesh::ATTRIBUTE_NORMAL).map(VertexAttributeValues::len), Some(81));
        borders += usize::from(chunk.get::<ChunkStitchMask>() != Some(&ChunkStitchMask(StitchMask::NONE)));
    }
    assert!(borders > 0, "no chunk has a coarser neighbor, which tests nothing");
}

#[test]
fn surfaces_are_kept_where_that_is_asked_for() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin { keep_surfaces: true, ..default() }, small_settings());
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

/// The mesh of the first chunk that is drawn.
fn some_mesh(app: &mut App) -> Mesh {
    let handle = meshes(app).into_values().next().expect("chunks are drawn");
    app.world().resource::<Assets<Mesh>>().get(&handle).expect("the mesh is there").clone()
}

#[test]
fn meshes_stay_readable_where_that_is_asked_for() {
    // What Bevy leaves of a mesh once it is uploaded.
    let usage = |readable_meshes| {
        let plugin = TerrainRenderPlugin { readable_meshes, ..default() };
        [false, true].map(|plain_meshes| {
            let (mut app, _) = settled_app(TerrainRenderPlugin { plain_meshes, ..plugin }, small_settings());
            some_mesh(&mut app).asset_usage
        })
    };
    assert_eq!(usage(false), [RenderAssetUsages::RENDER_WORLD; 2]);
    assert_eq!(usage(true), [RenderAssetUsages::MAIN_WORLD | RenderAssetUsages::RENDER_WORLD; 2]);
}

#[test]
fn after_a_jump_what_is_drawn_has_its_mesh_its_material_and_its_sea_in_that_frame() {
    let mut settings = settings_with_levels(30.0);
    (settings.look.water, settings.look.water_height) = (true, 5.0);
    let mut app = render_app(TerrainRenderPlugin::default());
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    settle(&mut app, terrain);
    let ground = app.world().get::<TerrainMaterials>(terrain).expect("materials are made").ground.clone();
    for x in [40_000.0, 40_110.0, -9e6] {
        move_to(&mut app, viewer, x, 0.0);
        app.update();
        let drawn = assert_shown_is_visible(&mut app);
        assert!(drawn.len() > 10, "{} chunks", drawn.len());
        assert!(assert_water_at(&mut app, terrain, Some(5.0)) > 0);
        for chunk in drawn {
            let mesh = &app.world().get::<Mesh3d>(chunk).expect("it has a mesh").0;
            assert!(app.world().resource::<Assets<Mesh>>().contains(mesh));
            let material = app.world().get::<MeshMaterial3d<TerrainMaterial>>(chunk).expect("it has a material");
            assert_eq!(material.0, ground);
        }
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
fn a_color_changes_the_material_and_no_mesh() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let (before, meshes_before) = (ground_material(&app, terrain), meshes(&mut app));
    let handles = app.world().get::<TerrainMaterials>(terrain).expect("materials are made").clone();
    let mut mesh_events = mesh_events(&app);
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
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    set_budget(&mut app, |budget| budget.chunks_per_frame = 2);
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

/// Asserts that a sheet of water at `height` lies over every chunk, shown or not, that reaches below it, and over no other.
#[track_caller]
fn assert_water_at(app: &mut App, terrain: Entity, height: Option<f32>) -> usize {
    let layout: ChunkLayout = *state(app, terrain).layout().expect("there is ground");
    let mut sheets = app.world_mut().query_filtered::<(&ChildOf, &Transform, &Mesh3d), With<ChunkWater>>();
    let mut wet = BTreeSet::new();
    for (chunk, place, _) in sheets.iter(app.world()) {
        assert!(wet.insert(chunk.parent()), "two sheets over one chunk");
        let height = height.expect("there is water, and none is wanted");
        let coord = app.world().get::<TerrainChunk>(chunk.parent()).expect("sheets are children of chunks").coord;
        let size = layout.chunk_size(coord.level) as f32;
        assert_eq!(place.translation, Vec3::new(size / 2.0, height, size / 2.0));
        assert_eq!(place.scale, Vec3::new(size, 1.0, size));
    }
    let expected: BTreeSet<Entity> = chunks(app)
        .into_iter()
        .map(|(_, chunk)| chunk)
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
    let all = chunks(&mut app).len();
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

/// A flight changes the borders of many meshes, and uploads none of them anew.
#[test]
fn a_mesh_is_uploaded_once_whatever_its_neighbors_do() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    settle(&mut app, terrain);
    let mut events = mesh_events(&app);
    let mut edges_before: BTreeMap<Entity, StitchMask> = BTreeMap::new();
    let mut meshes_before: BTreeMap<Entity, AssetId<Mesh>> = BTreeMap::new();
    let (mut kept, mut changes) = (0, 0);
    for x in (0..60).chain((0..60).rev()) {
        move_to(&mut app, viewer, x as f32 * 5.0, 0.0);
        settle(&mut app, terrain);
        for event in events.read(app.world().resource::<Messages<AssetEvent<Mesh>>>()) {
            if let AssetEvent::Modified { id } = event {
                panic!("{id} was changed");
            }
        }
        for (_, chunk) in chunks(&mut app) {
            let mesh = app.world().get::<Mesh3d>(chunk).expect("every chunk has a mesh").0.id();
            if let Some(before) = meshes_before.insert(chunk, mesh) {
                assert_eq!(mesh, before, "{chunk} got another mesh");
                kept += 1;
            }
            let edges = app.world().get::<ChunkStitchMask>(chunk).expect("every chunk has edges").0;
            changes += usize::from(edges_before.insert(chunk, edges).is_some_and(|before| before != edges));
        }
    }
    assert!(changes > 20, "only {changes} edges changed, which tests little");
    assert!(kept > 1000, "only {kept} meshes were looked at again");
}

#[test]
fn a_camera_sees_as_sharply_as_its_picture_and_its_field_of_view_say() {
    let (mut app, _) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let picture = Image::new_target_texture(640, 360, TextureFormat::Rgba8UnormSrgb, None);
    let picture = app.world_mut().resource_mut::<Assets<Image>>().add(picture);
    let perspective = |fov| Projection::Perspective(PerspectiveProjection { fov, ..default() });
    let target = RenderTarget::Image(picture.into());
    let viewer = app.world_mut().spawn((TerrainViewer::default(), Camera3d::default(), perspective(1.0), target)).id();
    app.update();
    let lens = |app: &App| *app.world().get::<ViewerLens>(viewer).expect("a viewer has a lens");
    assert_eq!(lens(&app), ViewerLens { height: 360.0, field_of_view: 1.0 });
    app.world_mut().entity_mut(viewer).insert(perspective(0.5));
    app.update();
    assert_eq!(lens(&app), ViewerLens { height: 360.0, field_of_view: 0.5 });
}

#[test]
fn every_stage_has_a_span_that_profilers_know_by_its_name() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let spans = terrain_spans_of(&mut app, |app| {
        let terrain = add_terrain(app, small_settings());
        add_viewer(app, 0.0, 0.0, 80.0);
        settle(app, terrain);
    });
    let stages = ["terrain_apply", "terrain_generate", "terrain_react", "terrain_render", "terrain_select"];
    assert!(stages.iter().all(|&stage| spans.contains(stage)), "{spans:?}");
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

/// What is defined in the passes in which chunks are drawn: the picture, then those before it.
const PICTURES: &[&[&str]] = &[
    &["MESH_PIPELINE"],
    &["MESH_PIPELINE", "DISTANCE_FOG", "ENVIRONMENT_MAP"],
    &["MESH_PIPELINE", "VISIBILITY_RANGE_DITHER"],
];
const PREPASSES: &[&[&str]] = &[
    // Shadows, with and without a device that can leave depth unclipped.
    &["PREPASS_PIPELINE", "DEPTH_PREPASS"],
    &["PREPASS_PIPELINE", "DEPTH_PREPASS", "UNCLIPPED_DEPTH_ORTHO_EMULATION", "PREPASS_FRAGMENT"],
    &["PREPASS_PIPELINE", "NORMAL_PREPASS", "NORMAL_PREPASS_OR_DEFERRED_PREPASS", "PREPASS_FRAGMENT"],
    &["PREPASS_PIPELINE", "MOTION_VECTOR_PREPASS", "MOTION_VECTOR_PREPASS_OR_DEFERRED_PREPASS", "PREPASS_FRAGMENT"],
    &["PREPASS_PIPELINE", "DEPTH_PREPASS", "VISIBILITY_RANGE_DITHER"],
];
const DEFERRED: &[&[&str]] = &[
    &["PREPASS_PIPELINE", "DEFERRED_PREPASS", "NORMAL_PREPASS_OR_DEFERRED_PREPASS", "PREPASS_FRAGMENT"],
    &[
        "PREPASS_PIPELINE",
        "DEFERRED_PREPASS",
        "DEPTH_PREPASS",
        "NORMAL_PREPASS",
        "NORMAL_PREPASS_OR_DEFERRED_PREPASS",
        "MOTION_VECTOR_PREPASS",
        "MOTION_VECTOR_PREPASS_OR_DEFERRED_PREPASS",
        "PREPASS_FRAGMENT",
    ],
];
