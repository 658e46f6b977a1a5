//! What games are told agrees with what is drawn, in every frame.

use crate::common::*;
use bevy::ecs::message::MessageCursor;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkCoord, StreamSettings};
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Follows the messages of an app, and checks them against what is drawn.
#[derive(Default)]
struct Books {
    shown: MessageCursor<ChunkShown>,
    hidden: MessageCursor<ChunkHidden>,
    ground_shown: MessageCursor<GroundShown>,
    ground_hidden: MessageCursor<GroundHidden>,
    chunks: BTreeMap<Entity, (Entity, ChunkCoord)>,
    /// The ground that is drawn, in chunks of level 0, each with its terrain.
    ground: BTreeSet<(Entity, ChunkCoord)>,
    /// Areas that were told as new since the start.
    areas_shown: usize,
}

/// The chunks of level 0 in an area.
fn parts(area: ChunkCoord) -> Vec<ChunkCoord> {
    if area.level == 0 { vec![area] } else { area.children().flat_map(parts).collect() }
}

impl Books {
    /// To be called after every frame.
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
            for part in parts(area) {
                assert!(self.ground.remove(&(terrain, part)), "{part:?}, part of {area:?}, is gone and was never new");
            }
        }
        for &GroundShown { terrain, area, .. } in self.ground_shown.read(world.resource::<Messages<GroundShown>>()) {
            self.areas_shown += 1;
            for part in parts(area) {
                assert!(self.ground.insert((terrain, part)), "{part:?}, part of {area:?}, is new and was there");
            }
        }
        let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk, &ChunkDrawn)>();
        let drawn = chunks.iter(app.world()).filter(|(.., drawn)| drawn.is_drawn());
        let there: BTreeMap<_, _> = drawn.map(|(entity, chunk, _)| (entity, (chunk.terrain, chunk.coord))).collect();
        assert_eq!(self.chunks, there, "the messages tell of other chunks than there are");
        let mut ground = BTreeSet::new();
        for &(terrain, coord) in there.values() {
            for part in parts(coord) {
                assert!(ground.insert((terrain, part)), "{part:?} is drawn twice");
            }
        }
        let [told, drawn] = [self.ground.difference(&ground).next(), ground.difference(&self.ground).next()];
        assert_eq!((told, drawn), (None, None), "ground that is told and not drawn, or drawn and not told");
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
fn messages_tell_of_every_chunk_and_all_ground_that_comes_and_goes() {
    let mut app = headless_app();
    let mut books = Books::default();
    let terrain = add_terrain(&mut app, small_settings());
    let other = add_terrain(&mut app, small_settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 80.0);
    books.settle(&mut app, terrain);
    move_to(&mut app, viewer, 70.0, 30.0);
    books.settle(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    books.settle(&mut app, terrain);
    edit(&mut app, terrain, |settings| settings.chunks.spacing = 3.0);
    books.settle(&mut app, terrain);
    let some = *shown(&mut app, terrain).values().next().expect("chunks are shown");
    app.world_mut().despawn(some);
    books.settle(&mut app, terrain);
    move_to(&mut app, viewer, 7000.0, 30.0);
    books.settle(&mut app, terrain);
    assert!(!books.chunks.is_empty());
    app.world_mut().despawn(terrain);
    app.update();
    books.check(&mut app);
    app.world_mut().despawn(other);
    app.update();
    books.check(&mut app);
    assert!(books.chunks.is_empty() && books.ground.is_empty());
    assert_eq!(chunk_entities(&mut app), 0);
}

#[test]
fn ground_that_stays_is_neither_new_nor_gone() {
    let mut app = app_without_threads();
    let mut books = Books::default();
    set_budget(&mut app, |budget| budget.chunks_per_frame = 6);
    let terrain = add_terrain(
        &mut app,
        TerrainSettings { stream: StreamSettings { look_ahead: 0.5 }, ..settings_with_levels(4.0) },
    );
    let viewer = add_viewer(&mut app, 0.0, 0.0, 400.0);
    let other = add_viewer(&mut app, 300.0, 0.0, 200.0);
    let mut rng = NoiseRng::new(9, 0);
    let mut place = Vec2::ZERO;
    for frame in 0..400_u16 {
        let mut up_to = |most: f32| most * rng.next_unit() as f32;
        place += match frame % 40 {
            // A jump of which part of the ground stays, and one of which none does.
            10 => Vec2::new(up_to(500.0), up_to(500.0)),
            30 => Vec2::new(up_to(9000.0), 2000.0),
            _ => Vec2::new(3.0, up_to(2.0)),
        };
        move_to(&mut app, viewer, place.x, place.y);
        match frame % 100 {
            20 => see(&mut app, viewer, up_to(500.0)),
            60 => move_to(&mut app, other, place.x + 100.0, place.y + up_to(600.0)),
            _ => {}
        }
        app.update();
        books.check(&mut app);
    }
    books.settle(&mut app, terrain);
    assert!(books.areas_shown > 1000, "only {} areas were new", books.areas_shown);
}

#[test]
fn chunks_that_a_game_despawns_come_back_and_their_ground_is_not_told_as_new() {
    let mut app = headless_app();
    let mut books = Books::default();
    let terrain = add_terrain(&mut app, settings_with_levels(4.0));
    add_viewer(&mut app, 0.0, 0.0, 600.0);
    books.settle(&mut app, terrain);
    let before = shown(&mut app, terrain);
    for step in [200, 50, 19] {
        let taken: Vec<Entity> = shown(&mut app, terrain).into_values().step_by(step).collect();
        taken.iter().for_each(|&chunk| _ = app.world_mut().despawn(chunk));
        assert!((1..TerrainBudget::MOST_BUILT_NOW).contains(&taken.len()), "{}", taken.len());
        app.update();
        books.check(&mut app);
        assert_tiled(&mut app, terrain);
        books.settle(&mut app, terrain);
        assert!(taken.iter().all(|&chunk| app.world().get_entity(chunk).is_err()));
        assert!(shown(&mut app, terrain).keys().eq(before.keys()));
        assert_seamless(&mut app, terrain);
    }
}

/// More than can be built in one frame: some of the ground is gone until it is.
#[test]
fn ground_that_a_game_leaves_uncovered_for_longer_is_told_as_gone_and_new() {
    let mut app = app_without_threads();
    let mut books = Books::default();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    books.settle(&mut app, terrain);
    let before = shown(&mut app, terrain);
    for chunk in all_chunks(&mut app) {
        app.world_mut().despawn(chunk);
    }
    app.update();
    books.check(&mut app);
    assert!(shown(&mut app, terrain).len() < before.len());
    books.settle(&mut app, terrain);
    assert!(shown(&mut app, terrain).keys().eq(before.keys()));
}
