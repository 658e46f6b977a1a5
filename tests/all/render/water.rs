//! Sheets of water over chunks.

use super::*;

/// Asserts that every chunk, drawn or not, that reaches below `height` has a sheet of water there, and that no other chunk has one.
/// Returns the number of sheets.
#[track_caller]
pub(super) fn assert_water_at(app: &mut App, terrain: Entity, height: Option<f32>) -> usize {
    let layout: ChunkLayout = *state(app, terrain).layout().expect("there is ground");
    let mut sheets = app.world_mut().query_filtered::<(&ChildOf, &Transform, &Mesh3d), With<ChunkWater>>();
    let mut wet = BTreeSet::new();
    for (chunk, position, _) in sheets.iter(app.world()) {
        assert!(wet.insert(chunk.parent()), "two sheets on one chunk");
        let height = height.expect("there is a sheet without water");
        let coord = app.world().get::<TerrainChunk>(chunk.parent()).expect("sheets are children of chunks").coord;
        let size = layout.chunk_size(coord.level) as f32;
        assert_eq!(position.translation, Vec3::new(size / 2.0, height, size / 2.0));
        assert_eq!(position.scale, Vec3::new(size, 1.0, size));
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
fn water_follows_its_settings() {
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
    assert!(0 < few && few < all, "{few} of {all} chunks reach below the water");
    set(&mut app, true, 1000.0);
    assert_eq!(assert_water_at(&mut app, terrain, Some(1000.0)), all);
    set(&mut app, true, 5.0);
    assert_eq!(assert_water_at(&mut app, terrain, Some(5.0)), few);
    set(&mut app, true, -1000.0);
    assert_eq!(assert_water_at(&mut app, terrain, Some(-1000.0)), 0);
    set(&mut app, true, 5.0);

    // Chunks that are built later and chunks of a reload have water too.
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

/// What the material of the water was made from.
fn water_material(app: &App, terrain: Entity) -> String {
    let materials = app.world().get::<TerrainMaterials>(terrain).expect("the terrain has materials");
    let material = app.world().resource::<Assets<TerrainWater>>().get(&materials.water).expect("the material exists");
    format!("{:?}", material.base)
}

#[test]
fn the_material_of_the_water_follows_its_settings() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let mut seen = vec![water_material(&app, terrain)];
    let changes: [fn(&mut TerrainSettings); 5] = [
        |settings| settings.look.water = true,
        |settings| settings.look.water_height = 5.0,
        |settings| settings.look.water_clarity = 20.0,
        |settings| settings.look.waves = 0.5,
        |settings| settings.look.water_color = [0.2, 0.1, 0.05],
    ];
    for change in changes {
        edit(&mut app, terrain, change);
        pump(&mut app, 2);
        let now = water_material(&app, terrain);
        assert!(!seen.contains(&now), "{now}");
        seen.push(now);
    }
}

/// The tags of sheets, with the stitch masks of their chunks.
fn water_tags(app: &mut App) -> Vec<(u32, u8)> {
    let mut sheets = app.world_mut().query_filtered::<(&MeshTag, &ChildOf), With<ChunkWater>>();
    let of_chunk = |(tag, chunk): (&MeshTag, &ChildOf)| {
        (**tag, app.world().get::<ChunkStitchMask>(chunk.parent()).expect("a mask").0.bits())
    };
    sheets.iter(app.world()).map(of_chunk).collect()
}

#[test]
fn sheets_of_water_leave_out_vertices_that_coarser_neighbors_lack() {
    let mut settings = settings_with_levels(30.0);
    (settings.look.water, settings.look.water_height) = (true, 1000.0);
    let (mut app, terrain, viewer) = settled(render_app(TerrainRenderPlugin::default()), settings, 400.0);
    let mut borders = BTreeSet::new();
    for step in 0..20 {
        move_to(&mut app, viewer, step as f32 * 60.0, 0.0);
        app.update();
        app.update();
        for (tag, edges) in water_tags(&mut app) {
            assert_eq!(tag, u32::from(edges));
            borders.insert(edges);
        }
    }
    settle(&mut app, terrain);
    assert!(borders.len() > 3, "{borders:?}");
}
