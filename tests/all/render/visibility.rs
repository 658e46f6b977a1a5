//! Bevy sees the chunks that are drawn, and no others.

use super::*;

#[test]
fn chunks_of_an_incoming_generation_are_hidden_until_it_is_shown() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    set_budget(&mut app, |budget| budget.chunks_per_frame = 1);
    let old = assert_shown_is_visible(&mut app);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    let mut waiting = 0;
    pump_until(&mut app, "the reload is done", |app| {
        let here = assert_shown_is_visible(app);
        assert!(here.is_disjoint(&old) || here == old, "chunks of both generations are seen");
        waiting += usize::from(here == old);
        state(app, terrain).is_settled()
    });
    assert!(waiting > 1, "no chunk ever waited, which tests nothing");
}

#[test]
fn a_chunk_is_hidden_while_finer_ones_are_shown_in_its_place_and_seen_again_after() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    let (mut seen, mut hidden_again, mut seen_again) = (HashSet::new(), HashSet::new(), HashSet::new());
    for x in (0..60).chain((0..60).rev()) {
        move_to(&mut app, viewer, x as f32 * 5.0, 0.0);
        settle(&mut app, terrain);
        let here = assert_shown_is_visible(&mut app);
        for (_, chunk) in chunks(&mut app) {
            if here.contains(&chunk) {
                seen.insert(chunk);
                if hidden_again.contains(&chunk) {
                    seen_again.insert(chunk);
                }
            } else if seen.contains(&chunk) {
                hidden_again.insert(chunk);
            }
        }
    }
    assert!(
        hidden_again.len() > 3 && seen_again.len() > 3,
        "{} hidden, {} seen again",
        hidden_again.len(),
        seen_again.len()
    );
}

#[test]
fn what_a_chunk_is_at_the_end_of_a_frame_decides_whether_it_is_seen() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let chunk = *shown(&mut app, terrain).values().next().expect("a chunk");
    for is_shown in [true, false, false, true, true] {
        // There and back again, and on.
        for now in [is_shown, !is_shown, is_shown] {
            let mut shown = app.world_mut().get_mut::<ChunkDrawn>(chunk).expect("every chunk has it");
            let ReflectMut::TupleStruct(shown) = shown.reflect_mut() else {
                panic!("it has one field, which only the terrain writes otherwise");
            };
            shown.field_mut(0).expect("its field").apply(&now);
        }
        app.update();
        assert_eq!(app.world().get::<ChunkDrawn>(chunk).map(ChunkDrawn::is_drawn), Some(is_shown));
        let expected = if is_shown { Visibility::Inherited } else { Visibility::Hidden };
        assert_eq!(app.world().get::<Visibility>(chunk), Some(&expected));
    }
}

/// Bevy uploads a mesh in the frame in which it hears of it. A chunk that is shown before that is a hole for a frame.
#[test]
fn no_chunk_is_shown_before_bevy_has_heard_of_its_mesh() {
    let mut app = render_app(TerrainRenderPlugin::default());
    set_budget(&mut app, |budget| budget.chunks_per_frame = 3);
    let terrain = add_terrain(&mut app, small_settings());
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
