//! The render layer without a window and a GPU: everything up to the data that Bevy would upload.

mod atlas;
mod owner;
mod plants;
mod screenshots;
mod shaders;
mod visibility;
mod water;

use bevy::asset::{AssetEvent, RenderAssetUsages};
use bevy::camera::primitives::Aabb;
use bevy::camera::{CameraProjection, RenderTarget, ScalingMode, SubCameraView};
use bevy::ecs::message::MessageCursor;
use bevy::math::Vec3A;
use bevy::mesh::{Indices, MeshTag, VertexAttributeValues};
use bevy::prelude::*;
use bevy::reflect::ReflectMut;
use bevy::render::render_resource::TextureFormat;
use bevy::shader::{Shader, ShaderCache, ShaderCacheError, ShaderDefVal};
use bevy_perlin_terrain::chunk::{ChunkBuilder, ChunkLayout, LevelErrors, StitchMask, triangle_indices};
use bevy_perlin_terrain::field::{EditChange, Raise, TerrainEdit};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::render::{
    ChunkWater, TerrainMaterial, TerrainMaterials, TerrainQuality, TerrainRenderPlugin, TerrainWater,
};
use bevy_perlin_terrain::stream::ViewerLens;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use testing::app::log::terrain_spans_of;
use testing::app::render::render_app;
use testing::app::*;
use water::assert_water_at;

/// An app with settled terrain around the origin.
fn settled_app(plugin: TerrainRenderPlugin, settings: TerrainSettings) -> (App, Entity) {
    let (mut app, terrain, _) = settled(render_app(plugin), settings, 80.0);
    app.update();
    (app, terrain)
}

/// All chunks, drawn or not.
fn chunks(app: &mut App) -> Vec<(ChunkCoord, Entity)> {
    let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk)>();
    chunks.iter(app.world()).map(|(entity, chunk)| (chunk.coord, entity)).collect()
}

/// Reads asset events of meshes from now on.
fn mesh_events(app: &App) -> MessageCursor<AssetEvent<Mesh>> {
    app.world().resource::<Messages<AssetEvent<Mesh>>>().get_cursor_current()
}

/// The meshes of all drawn chunks.
fn meshes(app: &mut App) -> BTreeMap<Entity, Handle<Mesh>> {
    let mut chunks = app.world_mut().query::<(Entity, &Mesh3d, &ChunkDrawn)>();
    let drawn = chunks.iter(app.world()).filter(|(.., drawn)| drawn.is_drawn());
    drawn.map(|(entity, mesh, _)| (entity, mesh.0.clone())).collect()
}

/// Asserts that the drawn chunks are visible and all others are hidden. Returns the drawn chunks.
#[track_caller]
fn assert_drawn_is_visible(app: &mut App) -> HashSet<Entity> {
    let mut chunks = app.world_mut().query_filtered::<(Entity, &Visibility, &ChunkDrawn), With<TerrainChunk>>();
    let mut all_drawn = HashSet::new();
    for (entity, visibility, drawn) in chunks.iter(app.world()) {
        assert_eq!(*visibility, if drawn.is_drawn() { Visibility::Inherited } else { Visibility::Hidden });
        if drawn.is_drawn() {
            all_drawn.insert(entity);
        }
    }
    all_drawn
}

fn ground_material(app: &App, terrain: Entity) -> String {
    let materials = app.world().get::<TerrainMaterials>(terrain).expect("the terrain has materials");
    let materials_of_app = app.world().resource::<Assets<TerrainMaterial>>();
    let material = materials_of_app.get(&materials.ground).expect("the material exists");
    format!("{:?}", material.base)
}

#[test]
fn every_chunk_has_the_grid_a_tag_its_bounds_and_the_material_of_its_terrain() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let ground = app.world().get::<TerrainMaterials>(terrain).expect("the terrain has materials").ground.clone();
    assert!(app.world().get::<Visibility>(terrain).is_some(), "a terrain can be hidden");
    let layout = *state(&app, terrain).layout().expect("there is ground");
    let field = state(&app, terrain).field().expect("there is ground").clone();
    let (mut tags, mut meshes) = (HashSet::new(), HashSet::new());
    for (coord, entity) in chunks(&mut app) {
        let chunk = app.world().entity(entity);
        assert!(!chunk.contains::<ChunkSurface>(), "{coord:?} keeps its surface");
        assert_eq!(chunk.get::<MeshMaterial3d<TerrainMaterial>>().expect("a material").0, ground);
        let tag = **chunk.get::<MeshTag>().expect("a tag");
        assert_eq!(tag & 31, u32::from(coord.level), "the shader reads the level from the tag");
        assert_eq!(tag >> 5 & 15, u32::from(chunk.get::<ChunkStitchMask>().expect("a mask").0.bits()));
        assert!(tags.insert(tag >> 9), "{coord:?} shares its heights");
        meshes.insert(chunk.get::<Mesh3d>().expect("a mesh").0.clone());
        let [lowest, highest] = ChunkBuilder::default().heights(&field, &layout, coord).height_range;
        let width = layout.chunk_size(coord.level) as f32;
        let bounds = chunk.get::<Aabb>().expect("bounds");
        // Center and half size are rounded in f32, at the size of the chunk and heights up to 50 m.
        let expected = [Vec3A::new(0.0, lowest, 0.0), Vec3A::new(width, highest, width)];
        for (found, expected) in [bounds.min(), bounds.max()].into_iter().zip(expected) {
            assert!((found - expected).abs().max_element() < 1e-6 * width, "{coord:?}: {bounds:?}");
        }
    }
    assert!(tags.len() > 10);
    let grid = meshes.iter().next().filter(|_| meshes.len() == 1).expect("all chunks share one mesh");
    let grid = app.world().resource::<Assets<Mesh>>().get(grid).expect("the mesh exists");
    let Some(VertexAttributeValues::Float32x3(positions)) = grid.attribute(Mesh::ATTRIBUTE_POSITION) else {
        panic!("the grid has no positions");
    };
    assert_eq!((positions.len(), positions[10]), (81, [1.0, 0.0, 1.0]));
}

#[test]
fn with_plain_meshes_a_game_can_give_chunks_any_material() {
    let mut app = render_app(TerrainRenderPlugin { plain_meshes: true, ..default() });
    let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial::default());
    let of_game = material.clone();
    app.add_observer(move |mesh: On<Add<Mesh3d>>, grounds: Query<&ChunkBounds>, mut commands: Commands| {
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
        assert!(!chunk.contains::<MeshMaterial3d<TerrainMaterial>>(), "{coord:?} has a terrain material");
        assert_eq!(chunk.get::<MeshMaterial3d<StandardMaterial>>().map(|material| &material.0), Some(&material));
        let mesh = app.world().resource::<Assets<Mesh>>().get(&chunk.get::<Mesh3d>().expect("a mesh").0);
        let mesh = mesh.expect("the mesh exists");
        // Other crates can read what is drawn.
        assert_eq!(mesh.asset_usage, RenderAssetUsages::all());
        assert_eq!(mesh.attribute(Mesh::ATTRIBUTE_NORMAL).map(VertexAttributeValues::len), Some(81));
        let ChunkStitchMask(mask) = *chunk.get::<ChunkStitchMask>().expect("a mask");
        let Some(Indices::U16(indices)) = mesh.indices() else { panic!("no triangles") };
        assert_eq!(*indices, triangle_indices(9, mask));
        borders += usize::from(mask != StitchMask::NONE);
    }
    assert!(borders > 0, "no chunk has a coarser neighbor");
}

#[test]
fn plain_meshes_and_surfaces_follow_edits() {
    let plugin = TerrainRenderPlugin { plain_meshes: true, keep_surfaces: true, ..default() };
    let (mut app, terrain, _) = settled(render_app(plugin), settings_with_levels(30.0), 400.0);
    let before = meshes(&mut app);
    for height in [20.0, -3.0] {
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("every terrain has edits");
        let change = EditChange::Raise(Raise { height });
        edits.set(0, TerrainEdit { change, ..TerrainEdit::default() }).expect("it is allowed");
        app.update();
        assert_eq!(meshes(&mut app), before, "the handles stay");
        let drawn = drawn_chunks(&mut app, terrain);
        let (field, layout) =
            (state(&app, terrain).field().expect("there is ground").clone(), state(&app, terrain).layout());
        let layout = *layout.expect("there is ground");
        for (&coord, &entity) in &drawn {
            let wanted = ChunkBuilder::default().build(&field, &layout, coord);
            let mesh = app.world().resource::<Assets<Mesh>>().get(&before[&entity]).expect("the mesh exists");
            let Some(VertexAttributeValues::Float32x3(positions)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else {
                panic!("no positions")
            };
            assert_eq!(*positions, wanted.positions);
            let ChunkStitchMask(mask) = *app.world().get::<ChunkStitchMask>(entity).expect("a mask");
            let Some(Indices::U16(indices)) = mesh.indices() else { panic!("no triangles") };
            assert_eq!(*indices, triangle_indices(9, mask));
            assert_eq!(app.world().get::<ChunkSurface>(entity).expect("a surface").0, wanted);
        }
    }
}

#[test]
fn surfaces_are_kept_on_request() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin { keep_surfaces: true, ..default() }, small_settings());
    let layout = *state(&app, terrain).layout().expect("there is ground");
    let field = state(&app, terrain).field().expect("there is ground").clone();
    for entity in drawn_chunks(&mut app, terrain).into_values() {
        let chunk = app.world().entity(entity);
        let surface = &chunk.get::<ChunkSurface>().expect("the surface is kept").0;
        let coord = app.world().get::<TerrainChunk>(entity).expect("a chunk").coord;
        assert_eq!(*surface, ChunkBuilder::default().build(&field, &layout, coord));
    }
}

#[test]
fn after_a_jump_drawn_chunks_have_mesh_material_and_water_in_the_same_frame() {
    let mut settings = settings_with_levels(30.0);
    (settings.look.water, settings.look.water_height) = (true, 5.0);
    let (mut app, terrain, viewer) = settled(render_app(TerrainRenderPlugin::default()), settings, 400.0);
    let ground = app.world().get::<TerrainMaterials>(terrain).expect("the terrain has materials").ground.clone();
    for x in [40_000.0, 40_110.0, -9e6] {
        move_to(&mut app, viewer, x, 0.0);
        app.update();
        let drawn = assert_drawn_is_visible(&mut app);
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
    for entity in drawn_chunks(&mut app, terrain).into_values() {
        assert!(app.world().get::<ChunkSurface>(entity).is_some());
    }
}

#[test]
fn a_color_changes_the_material_and_no_mesh() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let (before, meshes_before) = (ground_material(&app, terrain), meshes(&mut app));
    let handles = app.world().get::<TerrainMaterials>(terrain).expect("the terrain has materials").clone();
    let mut mesh_events = mesh_events(&app);
    edit(&mut app, terrain, |settings| settings.look.layers[0].color = [0.9, 0.2, 0.1]);
    app.update();
    assert_ne!(ground_material(&app, terrain), before);
    app.update();
    assert_eq!(mesh_events.read(app.world().resource::<Messages<AssetEvent<Mesh>>>()).count(), 0);
    assert_eq!(meshes(&mut app), meshes_before);
    let after = app.world().get::<TerrainMaterials>(terrain).expect("the terrain has materials");
    assert_eq!((&after.ground, &after.water), (&handles.ground, &handles.water));
    edit(&mut app, terrain, |settings| settings.look = small_settings().look);
    app.update();
    assert_eq!(ground_material(&app, terrain), before);
}

#[test]
fn a_new_look_waits_for_the_new_heights_of_the_same_edit() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    set_budget(&mut app, |budget| budget.chunks_per_frame = 2);
    let before = ground_material(&app, terrain);
    edit(&mut app, terrain, |settings| {
        settings.field.seed = 77;
        settings.look.layers[0].color = [0.9, 0.2, 0.1];
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

/// A flight builds many chunks, and changes the stitch masks of many, and uploads no mesh.
#[test]
fn a_flight_changes_tags_and_no_mesh() {
    let (mut app, terrain, viewer) =
        settled(render_app(TerrainRenderPlugin::default()), settings_with_levels(30.0), 400.0);
    // Those of the plugin.
    app.update();
    let mut events = mesh_events(&app);
    let mut tags_before: BTreeMap<Entity, u32> = BTreeMap::new();
    let (mut kept, mut changes) = (0, 0);
    for x in (0..60).chain((0..60).rev()) {
        move_to(&mut app, viewer, x as f32 * 5.0, 0.0);
        settle(&mut app, terrain);
        assert_eq!(events.read(app.world().resource::<Messages<AssetEvent<Mesh>>>()).count(), 0);
        for (_, chunk) in chunks(&mut app) {
            let tag = **app.world().get::<MeshTag>(chunk).expect("every chunk has a tag");
            let mask = app.world().get::<ChunkStitchMask>(chunk).expect("every chunk has a mask").0;
            assert_eq!(tag >> 5 & 15, u32::from(mask.bits()));
            if let Some(before) = tags_before.insert(chunk, tag) {
                assert_eq!(tag >> 9, before >> 9, "{chunk} got another slot");
                kept += 1;
                changes += usize::from(tag != before);
            }
        }
    }
    assert!(changes > 20, "only {changes} stitch masks changed");
    assert!(kept > 1000, "only {kept} slots were compared");
}

/// A projection of a game's own: that of a perspective with another near plane, which a mirror or a portal needs.
#[derive(Clone, Debug)]
struct Oblique(PerspectiveProjection);

impl CameraProjection for Oblique {
    fn get_clip_from_view(&self) -> Mat4 {
        let mut matrix = self.0.get_clip_from_view();
        (matrix.x_axis.z, matrix.y_axis.z) = (0.1, 0.2);
        matrix
    }

    fn get_clip_from_view_for_sub(&self, view: &SubCameraView) -> Mat4 {
        self.0.get_clip_from_view_for_sub(view)
    }

    fn update(&mut self, width: f32, height: f32) {
        self.0.update(width, height);
    }

    fn far(&self) -> f32 {
        self.0.far()
    }

    fn get_frustum_corners(&self, z_near: f32, z_far: f32) -> [Vec3A; 8] {
        self.0.get_frustum_corners(z_near, z_far)
    }
}

#[test]
fn a_lens_has_the_scale_of_the_image_whatever_the_projection() {
    let (mut app, _) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let image = Image::new_target_texture(640, 360, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    let target = RenderTarget::Image(image.into());
    let viewer = app.world_mut().spawn((TerrainViewer::default(), Camera3d::default(), target)).id();
    let perspective = |fov| PerspectiveProjection { fov, ..default() };
    let map = OrthographicProjection {
        scaling_mode: ScalingMode::FixedVertical { viewport_height: 90.0 },
        ..OrthographicProjection::default_3d()
    };
    let scale = |fov: f64, rows: f64| rows / 2.0 / (fov / 2.0).tan();
    let part =
        SubCameraView { full_size: UVec2::new(1280, 1440), offset: Vec2::new(20.0, 90.0), size: UVec2::new(320, 180) };
    for (projection, part, is_orthographic, expected) in [
        (perspective(1.0).into(), None, false, scale(1.0, 360.0)),
        (perspective(0.5).into(), None, false, scale(0.5, 360.0)),
        (perspective(0.5).into(), Some(part), false, scale(0.5, 8.0 * 360.0)),
        (Projection::custom(Oblique(perspective(0.5))), None, false, scale(0.5, 360.0)),
        (map.clone().into(), None, true, 4.0),
        (map.into(), Some(part), true, 8.0 * 4.0),
    ] {
        let name = format!("{projection:?} {part:?}");
        app.world_mut().entity_mut(viewer).insert(projection);
        app.world_mut().get_mut::<Camera>(viewer).expect("a camera").sub_camera_view = part;
        app.update();
        let lens = *app.world().get::<ViewerLens>(viewer).expect("a viewer has a lens");
        assert_eq!(matches!(lens, ViewerLens::Orthographic { .. }), is_orthographic, "{name}");
        let found = lens.projection_scale();
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} for {expected}: {name}");
    }
}

/// The error in pixels of the ground under a camera 1500 m above dunes, whose image of 1080 rows is so many metres high.
fn pixels_of_error(metres_high: f32) -> f64 {
    let mut app = render_app(TerrainRenderPlugin::default());
    let settings = TerrainSettings::from_ron(include_str!("../../assets/terrain/dunes.terrain.ron"));
    let terrain = add_terrain(&mut app, settings.expect("the preset is valid"));
    let image = Image::new_target_texture(1920, 1080, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    let projection = Projection::Orthographic(OrthographicProjection {
        scaling_mode: ScalingMode::FixedVertical { viewport_height: metres_high },
        far: 5000.0,
        ..OrthographicProjection::default_3d()
    });
    let position = Transform::from_xyz(100.0, 1500.0, 50.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let target = RenderTarget::Image(image.into());
    app.world_mut().spawn((Camera3d::default(), projection, target, TerrainViewer { view_distance: 2000.0 }, position));
    settle(&mut app, terrain);
    let state = state(&app, terrain);
    let (field, layout) = (state.field().expect("ground"), *state.layout().expect("ground"));
    let mut errors = LevelErrors::new();
    errors.measure(field, &layout, layout.coarsest_level(2000.0));
    let tree = state.quadtree().expect("ground");
    // All ground in view has the same level: the whole image has one scale.
    let levels: BTreeSet<u8> = [0.0, 400.0, 900.0, 1500.0, 1900.0]
        .map(|x| tree.leaves_in(layout.chunk_at(0, 100.0 + x, 50.0)).first().expect("ground in view").level)
        .into();
    assert_eq!(levels.len(), 1, "{levels:?}");
    let level = levels.into_iter().next().expect("one level");
    errors.of(level) * 1080.0 / f64::from(metres_high)
}

#[test]
fn ground_in_an_orthographic_image_has_the_error_of_the_settings_and_no_more_triangles() {
    // The preset asks for 3 pixels.
    for metres_high in [100.0, 6000.0] {
        let error = pixels_of_error(metres_high);
        assert!(error <= 3.0, "{error:.2} pixels of {metres_high} m");
        assert!(metres_high < 1000.0 || error > 0.75, "{error:.2} pixels of {metres_high} m: coarser ground would do");
    }
}

#[test]
fn a_change_of_quality_reaches_the_materials_and_the_level_of_detail() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::with_quality(TerrainQuality::Medium), small_settings());
    let image = Image::new_target_texture(640, 360, TextureFormat::Rgba8UnormSrgb, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    let camera = (TerrainViewer::default(), Camera3d::default(), RenderTarget::Image(image.into()));
    let viewer = app.world_mut().spawn(camera).id();
    let mut quality_and_rows = |change: Option<TerrainQuality>| {
        change.into_iter().for_each(|quality| app.insert_resource(quality).update());
        app.update();
        let handles = app.world().get::<TerrainMaterials>(terrain).expect("the plugin adds them");
        let materials = app.world().resource::<Assets<TerrainMaterial>>().get(&handles.ground);
        let water = app.world().resource::<Assets<TerrainWater>>().get(&handles.water).expect("it is loaded");
        let lens = app.world().get::<ViewerLens>(viewer).expect("a viewer has a lens");
        let ViewerLens::Perspective { height, .. } = *lens else { panic!("{lens:?}") };
        let quality = TerrainQuality::from(&materials.expect("it is loaded").base);
        assert_eq!(TerrainQuality::from(&water.base), quality);
        (quality, height)
    };
    assert_eq!(quality_and_rows(None), (TerrainQuality::Medium, 234.0));
    assert_eq!(quality_and_rows(Some(TerrainQuality::Low)), (TerrainQuality::Low, 144.0));
    assert_eq!(quality_and_rows(Some(TerrainQuality::High)), (TerrainQuality::High, 360.0));
}

#[test]
fn every_stage_has_a_named_tracing_span() {
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
fn no_system_of_the_terrain_is_ambiguous() {
    let (app, _) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let found = ambiguities(&app, PostUpdate, TERRAIN_SETS);
    assert!(found.is_empty(), "{found:#?}");
    // A system that uses their data without an order is found, so the sets exist.
    let mut app = render_app(TerrainRenderPlugin::default());
    app.add_systems(PostUpdate, |_: Query<&TerrainState>| {});
    app.update();
    assert!(!ambiguities(&app, PostUpdate, TERRAIN_SETS).is_empty());
}
