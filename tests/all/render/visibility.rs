//! Drawn chunks are visible to Bevy, and all others are hidden.

use super::*;

#[test]
fn chunks_of_an_incoming_ground_are_hidden_until_it_is_drawn() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    set_budget(&mut app, |budget| budget.chunks_per_frame = 1);
    let old = assert_drawn_is_visible(&mut app);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    let mut waiting = 0;
    pump_until(&mut app, "the reload is done", |app| {
        let visible = assert_drawn_is_visible(app);
        assert!(visible.is_disjoint(&old) || visible == old, "chunks of both grounds are visible");
        waiting += usize::from(visible == old);
        state(app, terrain).is_settled()
    });
    assert!(waiting > 1, "the reload ended in its first frame");
}

#[test]
fn a_chunk_is_hidden_while_finer_chunks_replace_it_and_visible_again_later() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let terrain = add_terrain(&mut app, settings_with_levels(30.0));
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    let (mut seen, mut hidden_again, mut visible_again) = (HashSet::new(), HashSet::new(), HashSet::new());
    for x in (0..60).chain((0..60).rev()) {
        move_to(&mut app, viewer, x as f32 * 5.0, 0.0);
        settle(&mut app, terrain);
        let visible = assert_drawn_is_visible(&mut app);
        for (_, chunk) in chunks(&mut app) {
            if visible.contains(&chunk) {
                seen.insert(chunk);
                if hidden_again.contains(&chunk) {
                    visible_again.insert(chunk);
                }
            } else if seen.contains(&chunk) {
                hidden_again.insert(chunk);
            }
        }
    }
    assert!(
        hidden_again.len() > 3 && visible_again.len() > 3,
        "{} hidden, {} visible again",
        hidden_again.len(),
        visible_again.len()
    );
}

#[test]
fn visibility_follows_the_state_at_the_end_of_a_frame() {
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), small_settings());
    let chunk = *drawn_chunks(&mut app, terrain).values().next().expect("a chunk");
    for is_shown in [true, false, false, true, true] {
        // The state changes back and forth within the frame.
        for now in [is_shown, !is_shown, is_shown] {
            let mut shown = app.world_mut().get_mut::<ChunkDrawn>(chunk).expect("every chunk has it");
            let ReflectMut::TupleStruct(shown) = shown.reflect_mut() else {
                panic!("it is a tuple struct");
            };
            shown.field_mut(0).expect("its field").apply(&now);
        }
        app.update();
        assert_eq!(app.world().get::<ChunkDrawn>(chunk).map(ChunkDrawn::is_drawn), Some(is_shown));
        let expected = if is_shown { Visibility::Inherited } else { Visibility::Hidden };
        assert_eq!(app.world().get::<Visibility>(chunk), Some(&expected));
    }
}

/// Bevy uploads a mesh in the frame of its `Added` event. A chunk that is shown earlier would be a hole for a frame.
#[test]
fn no_chunk_is_shown_before_bevy_knows_its_mesh() {
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
                assert!(known.contains(&mesh.id()), "a chunk is drawn before the event of its mesh");
            }
            state(app, terrain).is_settled()
        });
    }
    assert!(!known.is_empty());
}
