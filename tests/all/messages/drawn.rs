//! Messages match the drawn chunks and the drawn ground in every frame.

use super::ground_levels::cells;
use super::*;
use bevy::ecs::message::MessageCursor;
use bevy_perlin_terrain::chunk::{ChunkCoord, StreamSettings};
use bevy_perlin_terrain::noise::NoiseRng;
use std::collections::{BTreeMap, BTreeSet};

/// Reads the messages of an app, and compares them with what is drawn.
#[derive(Default)]
struct Follower {
    shown: MessageCursor<ChunkShown>,
    hidden: MessageCursor<ChunkHidden>,
    ground_shown: MessageCursor<GroundShown>,
    ground_hidden: MessageCursor<GroundHidden>,
    /// The drawn chunks, each with its terrain.
    chunks: BTreeMap<Entity, (Entity, ChunkCoord)>,
    /// The drawn ground: chunks of level 0, each with its terrain.
    ground: BTreeSet<(Entity, ChunkCoord)>,
    /// The number of areas that were reported as shown.
    areas_shown: usize,
}

impl Follower {
    /// Reads the messages of a frame and compares them. Call this after every frame.
    #[track_caller]
    fn check(&mut self, app: &mut App) {
        let world = app.world();
        for &ChunkShown { terrain, chunk, coord, .. } in self.shown.read(world.resource::<Messages<ChunkShown>>()) {
            assert_eq!(self.chunks.insert(chunk, (terrain, coord)), None, "{coord:?} is shown twice");
        }
        for &ChunkHidden { terrain, chunk, coord, .. } in self.hidden.read(world.resource::<Messages<ChunkHidden>>()) {
            assert_eq!(self.chunks.remove(&chunk), Some((terrain, coord)), "{coord:?} is hidden and was never shown");
        }
        for &GroundHidden { terrain, area, .. } in self.ground_hidden.read(world.resource::<Messages<GroundHidden>>()) {
            for cell in cells(area) {
                assert!(self.ground.remove(&(terrain, cell)), "{cell:?} in {area:?} is hidden and was never shown");
            }
        }
        for &GroundShown { terrain, area, .. } in self.ground_shown.read(world.resource::<Messages<GroundShown>>()) {
            self.areas_shown += 1;
            for cell in cells(area) {
                assert!(self.ground.insert((terrain, cell)), "{cell:?} in {area:?} is shown twice");
            }
        }
        let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk, &ChunkDrawn)>();
        let drawn = chunks.iter(app.world()).filter(|(.., drawn)| drawn.is_drawn());
        let drawn: BTreeMap<_, _> = drawn.map(|(entity, chunk, _)| (entity, (chunk.terrain, chunk.coord))).collect();
        assert_eq!(self.chunks, drawn, "messages and drawn chunks differ");
        let mut ground = BTreeSet::new();
        for &(terrain, coord) in drawn.values() {
            for cell in cells(coord) {
                assert!(ground.insert((terrain, cell)), "{cell:?} is drawn twice");
            }
        }
        let [reported, drawn] = [self.ground.difference(&ground).next(), ground.difference(&self.ground).next()];
        assert_eq!((reported, drawn), (None, None), "ground that is only reported, and ground that is only drawn");
    }

    #[track_caller]
    fn settle(&mut self, app: &mut App, terrain: Entity) {
        pump_until(app, "settled", |app| {
            self.check(app);
            state(app, terrain).is_settled()
        });
    }
}

#[test]
fn messages_match_the_drawn_chunks_and_ground_through_every_change() {
    let mut app = headless_app();
    let mut follower = Follower::default();
    let terrain = add_terrain(&mut app, small_settings());
    let other = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 80.0);
    follower.settle(&mut app, terrain);
    move_to(&mut app, viewer, 70.0, 30.0);
    follower.settle(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    follower.settle(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 3.0);
    follower.settle(&mut app, terrain);
    let some = *drawn_chunks(&mut app, terrain).values().next().expect("chunks are shown");
    app.world_mut().despawn(some);
    follower.settle(&mut app, terrain);
    move_to(&mut app, viewer, 7000.0, 30.0);
    follower.settle(&mut app, terrain);
    assert!(!follower.chunks.is_empty());
    app.world_mut().despawn(terrain);
    app.update();
    follower.check(&mut app);
    app.world_mut().despawn(other);
    app.update();
    follower.check(&mut app);
    assert!(follower.chunks.is_empty() && follower.ground.is_empty());
    assert_eq!(chunk_entities(&mut app), 0);
}

#[test]
fn ground_that_stays_drawn_is_reported_neither_as_shown_nor_as_hidden() {
    let mut app = app_without_threads();
    let mut follower = Follower::default();
    set_budget(&mut app, |budget| budget.chunks_per_frame = 6);
    let terrain = add_terrain(
        &mut app,
        TerrainSettings { stream: StreamSettings { look_ahead: 0.5 }, ..settings_with_levels(4.0) },
    );
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    let other = add_viewer(&mut app, 300.0, 0.0, 200.0);
    let mut rng = NoiseRng::new(9, 0);
    let mut position = Vec2::ZERO;
    for frame in 0..400_u16 {
        let mut up_to = |max: f32| max * rng.next_unit() as f32;
        position += match frame % 40 {
            // A jump that keeps a part of the ground, and one that keeps none.
            10 => Vec2::new(up_to(500.0), up_to(500.0)),
            30 => Vec2::new(up_to(9000.0), 2000.0),
            _ => Vec2::new(3.0, up_to(2.0)),
        };
        move_to(&mut app, viewer, position.x, position.y);
        match frame % 100 {
            20 => set_view_distance(&mut app, viewer, up_to(500.0)),
            60 => move_to(&mut app, other, position.x + 100.0, position.y + up_to(600.0)),
            _ => {}
        }
        app.update();
        follower.check(&mut app);
    }
    follower.settle(&mut app, terrain);
    assert!(follower.areas_shown > 1000, "only {} areas were shown", follower.areas_shown);
}

#[test]
fn chunks_that_a_game_despawns_are_rebuilt_and_their_ground_is_not_reported_as_shown() {
    let mut app = headless_app();
    let mut follower = Follower::default();
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    add_viewer(&mut app, 0.0, 0.0, 600.0);
    follower.settle(&mut app, terrain);
    let before = drawn_chunks(&mut app, terrain);
    for step in [200, 50, 19] {
        let despawned: Vec<Entity> = drawn_chunks(&mut app, terrain).into_values().step_by(step).collect();
        despawned.iter().for_each(|&chunk| _ = app.world_mut().despawn(chunk));
        assert!((1..TerrainBudget::MAX_BUILT_NOW).contains(&despawned.len()), "{}", despawned.len());
        app.update();
        follower.check(&mut app);
        assert_tiled(&mut app, terrain);
        follower.settle(&mut app, terrain);
        assert!(despawned.iter().all(|&chunk| app.world().get_entity(chunk).is_err()));
        assert!(drawn_chunks(&mut app, terrain).keys().eq(before.keys()));
        assert_seamless(&mut app, terrain);
    }
}

/// A game despawns more chunks than one frame can build. Some ground is missing until they are rebuilt.
#[test]
fn ground_that_is_missing_for_several_frames_is_reported_as_hidden_and_shown() {
    let mut app = app_without_threads();
    let mut follower = Follower::default();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    follower.settle(&mut app, terrain);
    let before = drawn_chunks(&mut app, terrain);
    for chunk in all_chunks(&mut app) {
        app.world_mut().despawn(chunk);
    }
    app.update();
    follower.check(&mut app);
    assert!(drawn_chunks(&mut app, terrain).len() < before.len());
    follower.settle(&mut app, terrain);
    assert!(drawn_chunks(&mut app, terrain).keys().eq(before.keys()));
}
