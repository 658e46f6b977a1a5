//! Messages while a game despawns chunks.

use super::ground_levels::{GroundLevels, app_with_levels};
use super::*;
use bevy_perlin_terrain::chunk::ChunkCoord;
use std::collections::HashSet;

#[test]
fn messages_stay_correct_while_a_game_despawns_chunks() {
    let (mut app, terrain, viewer, mut levels) = app_with_levels(settings(), 500.0);
    let mut despawned = 0;
    for step in 0..60_u16 {
        // All children of some chunks, and single ones. The viewer walks, and sometimes jumps.
        let is_chosen = |coord: &ChunkCoord| (coord.ancestor(coord.level + 1).x + i64::from(step)) % 5 == 0;
        for (coord, chunk) in drawn_chunks(&mut app, terrain) {
            if is_chosen(&coord) {
                app.world_mut().despawn(chunk);
                despawned += 1;
            }
        }
        let jump = if step % 12 == 11 { 350.0 } else { 0.0 };
        move_to(&mut app, viewer, f32::from(step) * 6.0 + f32::from(step / 12) * 350.0 + jump, 0.0);
        edit(&mut app, terrain, |settings| settings.lod.pixel_error = if step % 8 < 4 { 30.0 } else { 90.0 });
        for _ in 0..1 + step % 3 {
            levels.run_frame(&mut app, terrain);
        }
    }
    assert!(despawned > 500, "{despawned}");
    levels.settle(&mut app, terrain);
    assert_seamless(&mut app, terrain);
}

/// The drawn chunks, according to the events that observers got.
#[derive(Resource, Default)]
struct Shown(HashSet<Entity>);

#[test]
fn observers_may_despawn_a_shown_chunk_or_its_terrain() {
    for despawns_terrain in [false, true] {
        let mut app = slow_app();
        let terrain = add_terrain(&mut app, settings());
        add_viewer(&mut app, 0.0, 0.0, 500.0);
        let mut events = 0;
        if despawns_terrain {
            app.add_observer(move |event: On<ChunkShown>, mut commands: Commands| {
                events += 1;
                if events == 30 {
                    commands.entity(event.terrain).try_despawn();
                }
            });
        } else {
            app.add_observer(move |event: On<ChunkShown>, mut commands: Commands| {
                events += 1;
                if events == 30 {
                    commands.entity(event.chunk).despawn();
                }
            });
        }
        let drawn = |app: &mut App| {
            let mut chunks = app.world_mut().query_filtered::<(Entity, &ChunkDrawn), With<TerrainChunk>>();
            let drawn = chunks.iter(app.world()).filter(|(_, drawn)| drawn.is_drawn());
            drawn.map(|(entity, _)| entity).collect::<HashSet<_>>()
        };
        app.add_observer(|event: On<ChunkShown>, mut shown: ResMut<Shown>| assert!(shown.0.insert(event.chunk)))
            .add_observer(|event: On<ChunkHidden>, mut shown: ResMut<Shown>| assert!(shown.0.remove(&event.chunk)))
            .init_resource::<Shown>();
        for _ in 0..400 {
            app.update();
            let drawn = drawn(&mut app);
            assert_eq!(app.world().resource::<Shown>().0, drawn, "events and drawn chunks differ");
            std::thread::yield_now();
        }
        if despawns_terrain {
            assert_eq!(chunk_entities(&mut app), 0);
        } else {
            settle(&mut app, terrain);
            assert_seamless(&mut app, terrain);
        }
    }
}

#[test]
fn a_chunk_despawned_before_it_is_shown_is_reported_once_when_it_is_rebuilt() {
    #[derive(Resource)]
    struct Despawned(ChunkCoord);

    // A chunk that is built within a frame, and one that is built later.
    for number in [3, 120] {
        let mut app = with_chunks_per_frame(app_without_threads(), 6);
        let terrain = add_terrain(&mut app, settings());
        add_viewer(&mut app, 0.0, 0.0, 500.0);
        let mut added = 0;
        app.add_observer(move |event: On<Add<TerrainChunk>>, chunks: Query<&TerrainChunk>, mut commands: Commands| {
            added += 1;
            if added == number {
                commands.insert_resource(Despawned(chunks.get(event.entity).expect("it is a chunk").coord));
                commands.entity(event.entity).despawn();
            }
        });
        record_messages(&mut app);
        let mut levels = GroundLevels::default();
        pump_until(&mut app, "a chunk is despawned", |app| {
            let (messages, drawn) = (take_messages(app), drawn_chunks(app, terrain));
            let Some(&Despawned(despawned)) = app.world().get_resource::<Despawned>() else {
                levels.apply(&messages, &drawn);
                return false;
            };
            assert!(!messages.hidden.iter().any(|hidden| hidden.coord == despawned), "it was never shown");
            assert!(!messages.shown.iter().any(|shown| shown.coord == despawned), "it is despawned");
            // Its ground may be reported as shown in this frame, because the plan draws it.
            let planned =
                drawn.into_iter().chain(messages.ground_shown.iter().map(|shown| (shown.area, shown.terrain)));
            levels.apply(&messages, &planned.collect());
            true
        });
        levels.settle(&mut app, terrain);
        assert_seamless(&mut app, terrain);
    }
}
