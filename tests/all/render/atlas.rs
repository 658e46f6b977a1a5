//! The height atlas: what happens when it is nearly full, and that nothing stays in it.

use super::*;
use bevy_perlin_terrain::chunk::ChunkSettings;
use bevy_perlin_terrain::field::{EditCircle, EditShape};

/// Two pages have room for 392 chunks of 64 quads or for 882 of 32, and an eighth is left for reloads.
fn small_atlas() -> TerrainRenderPlugin {
    TerrainRenderPlugin { height_pages: 2, ..default() }
}

/// Ground that wants many more chunks than fit.
fn rough(quads: u32) -> TerrainSettings {
    TerrainSettings { chunks: ChunkSettings { quads, spacing: 1.0 }, ..settings_with_levels(0.5) }
}

/// The slots of all chunks. No two share one.
fn slots(app: &mut App) -> BTreeSet<u32> {
    let mut tags = app.world_mut().query::<(&MeshTag, &TerrainChunk)>();
    let slots: Vec<u32> = tags.iter(app.world()).map(|(tag, _)| **tag >> 9).collect();
    let different: BTreeSet<u32> = slots.iter().copied().collect();
    assert_eq!(slots.len(), different.len());
    different
}

#[test]
fn what_does_not_fit_is_coarser_and_there_is_no_hole() {
    let (mut app, terrain, viewer) = settled(render_app(small_atlas()), rough(64), 6000.0);
    for x in [0.0, 150.0, 90_000.0] {
        move_to(&mut app, viewer, x, 0.0);
        settle(&mut app, terrain);
        assert!(state(&app, terrain).is_limited_by_memory());
        let slots = slots(&mut app).len();
        assert!((200..=392 * 7 / 8).contains(&slots), "{slots} chunks");
        assert_seamless(&mut app, terrain);
        assert_drawn_is_visible(&mut app);
        let finest = drawn_chunks(&mut app, terrain).into_keys().map(|chunk| chunk.level).min();
        assert_eq!(finest, Some(0), "the ground at the feet has full detail");
    }
}

#[test]
fn a_reload_with_chunks_of_another_size_ends_when_the_atlas_is_nearly_full() {
    let (mut app, terrain, viewer) = settled(render_app(small_atlas()), rough(64), 6000.0);
    for (jump, quads) in [32, 64, 32, 64, 64].into_iter().enumerate() {
        let (count, limited) = (slots(&mut app).len(), state(&app, terrain).is_limited_by_memory());
        assert!(count > 200 && limited, "{count} chunks before reload {jump}, limited: {limited}");
        edit(&mut app, terrain, |settings| {
            settings.chunks.quads = quads;
            settings.field.seed += 1;
        });
        app.update();
        assert!(state(&app, terrain).is_reloading());
        // Also while the viewer goes on.
        move_to(&mut app, viewer, 400.0 * jump as f32, 0.0);
        settle(&mut app, terrain);
        // The last old chunks that are despawned make room for much detail.
        app.update();
        settle(&mut app, terrain);
        assert_eq!(state(&app, terrain).layout().map(ChunkLayout::quads), Some(quads));
        assert_seamless(&mut app, terrain);
        assert_drawn_is_visible(&mut app);
    }
}

#[test]
fn terrains_with_chunks_of_all_sizes_share_the_atlas_and_leave_nothing_in_it() {
    let mut app = render_app(small_atlas());
    add_viewer(&mut app, 0.0, 0.0, 600.0);
    let terrains = [8, 16, 32, 64, 128].map(|quads| add_terrain(&mut app, rough(quads)));
    for terrain in terrains {
        settle(&mut app, terrain);
        assert_seamless(&mut app, terrain);
        assert!(drawn_chunks(&mut app, terrain).len() >= 4);
    }
    // Slots of chunks with other sizes may have the same number, but no block.
    let mut blocks: BTreeMap<u32, Entity> = BTreeMap::new();
    let mut tags = app.world_mut().query::<(&MeshTag, &TerrainChunk)>();
    for (tag, chunk) in tags.iter(app.world()) {
        assert_eq!(*blocks.entry(**tag >> 16).or_insert(chunk.terrain), chunk.terrain);
    }
    terrains.into_iter().for_each(|terrain| app.world_mut().entity_mut(terrain).despawn());
    app.update();
    assert_eq!(chunk_entities(&mut app), 0);
    // A terrain that takes all there is can take all again.
    let terrain = add_terrain(&mut app, rough(64));
    app.world_mut().query::<&mut TerrainViewer>().single_mut(app.world_mut()).expect("a viewer").view_distance = 6000.0;
    settle(&mut app, terrain);
    assert!(slots(&mut app).len() > 300, "{}", slots(&mut app).len());
}

/// A pit or a mound.
fn edit_at(x: f64, z: f64, height: f64) -> TerrainEdit {
    let shape = EditShape::Circle(EditCircle { x, z, radius: 15.0 });
    TerrainEdit { shape, change: EditChange::Raise(Raise { height }), fade: 5.0, ..TerrainEdit::default() }
}

#[test]
fn edited_chunks_keep_their_slots_and_stay_visible_and_water_follows_their_ground() {
    let mut settings = settings_with_levels(8.0);
    (settings.look.water, settings.look.water_height) = (true, -20.0);
    let (mut app, terrain, _) = settled(render_app(small_atlas()), settings, 500.0);
    app.update();
    let tags = |app: &mut App| {
        let mut tags = app.world_mut().query::<(Entity, &MeshTag, &ChunkDrawn)>();
        let drawn = tags.iter(app.world()).filter(|(.., drawn)| drawn.is_drawn());
        drawn.map(|(entity, tag, _)| (entity, **tag)).collect::<BTreeMap<_, _>>()
    };
    let (before, slots_before) = (tags(&mut app), slots(&mut app).len());
    assert_eq!(assert_water_at(&mut app, terrain, Some(-20.0)), 0, "no ground is so low");
    let mut events = mesh_events(&app);
    for (height, is_wet) in [(-60.0, true), (30.0, false), (-60.0, true)] {
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("every terrain has edits");
        edits.set(0, edit_at(30.0, -40.0, height)).expect("it is allowed");
        app.update();
        assert_eq!(tags(&mut app), before);
        assert_drawn_is_visible(&mut app);
        assert_eq!(assert_water_at(&mut app, terrain, Some(-20.0)) > 0, is_wet, "{height} m");
    }
    assert_eq!(events.read(app.world().resource::<Messages<AssetEvent<Mesh>>>()).count(), 0);
    settle(&mut app, terrain);
    assert_eq!(slots(&mut app).len(), slots_before);
    assert_drawn_is_visible(&mut app);
}
