//! What games learn from the streaming: which ground comes, changes its level and goes.

use crate::common::told::{Told, listen, told};
use crate::common::*;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::ChunkCoord;
use bevy_perlin_terrain::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Settings of which the finest level reaches some hundred metres.
fn settings() -> TerrainSettings {
    settings_with_levels(30.0)
}

/// A settled terrain without threads, a viewer at its origin, and a game that follows what it is told.
fn followed(settings: TerrainSettings, view_distance: f32) -> (App, Entity, Entity, Props) {
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, view_distance);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
    (app, terrain, viewer, props)
}

/// The finest chunks that make up `chunk`.
fn cells(chunk: ChunkCoord) -> Vec<ChunkCoord> {
    let (mut cells, mut left) = (Vec::new(), vec![chunk]);
    while let Some(chunk) = left.pop() {
        if chunk.level == 0 { cells.push(chunk) } else { left.extend(chunk.children()) }
    }
    cells
}

/// What a game makes of what it is told, and nothing else: the level of the ground, for each of the finest chunks.
#[derive(Default)]
struct Props {
    levels: HashMap<ChunkCoord, u8>,
    made: usize,
    dropped: usize,
    changed: usize,
    /// Changes of level of areas of which a part was not drawn before, or is not drawn any more.
    partly: usize,
}

impl Props {
    /// Runs a frame and follows it.
    #[track_caller]
    fn frame(&mut self, app: &mut App, terrain: Entity) {
        app.update();
        let shown = shown(app, terrain);
        self.follow(&told(app), &shown);
    }

    #[track_caller]
    fn follow(&mut self, told: &Told, shown: &BTreeMap<ChunkCoord, Entity>) {
        let before = self.levels.clone();
        let now: HashMap<ChunkCoord, u8> =
            shown.keys().flat_map(|&chunk| cells(chunk).into_iter().map(move |cell| (cell, chunk.level))).collect();
        for hidden in &told.ground_hidden {
            for cell in cells(hidden.area) {
                assert!(self.levels.remove(&cell).is_some(), "{hidden:?} was not there");
            }
            self.dropped += 1;
        }
        for shown in &told.ground_shown {
            for cell in cells(shown.area) {
                let level = *now.get(&cell).unwrap_or_else(|| panic!("{shown:?} is not drawn"));
                assert_eq!(self.levels.insert(cell, level), None, "{shown:?} was there");
            }
            self.made += 1;
        }
        for change in &told.levels {
            let finest = |levels: &HashMap<ChunkCoord, u8>| {
                cells(change.area).iter().filter_map(|cell| levels.get(cell)).min().copied()
            };
            assert_eq!((finest(&before), finest(&now)), (Some(change.before), Some(change.now)), "{change:?}");
            assert_eq!(change.is_finer(), change.before == change.area.level);
            assert!(change.before.max(change.now) == change.area.level && change.before != change.now, "{change:?}");
            let cells = cells(change.area);
            let stay = cells.iter().filter(|cell| self.levels.contains_key(cell)).count();
            self.partly += usize::from(stay < cells.len() || cells.iter().any(|cell| !before.contains_key(cell)));
            for cell in cells {
                if let Some(level) = self.levels.get_mut(&cell) {
                    *level = now[&cell];
                }
            }
            self.changed += 1;
        }
        let (known, shown) = (self.levels.len(), now.len());
        assert!(
            self.levels == now,
            "the levels of {known} places are known, and {shown} are shown, or at other levels"
        );
    }

    #[track_caller]
    fn settle(&mut self, app: &mut App, terrain: Entity) {
        for _ in 0..20_000 {
            self.frame(app, terrain);
            if state(app, terrain).is_settled() {
                return;
            }
            std::thread::yield_now();
        }
        panic!("the terrain does not settle: {:?}", stats(app));
    }
}

#[test]
fn who_only_listens_knows_the_level_of_all_ground_in_every_frame() {
    let (mut app, terrain, viewer, mut props) = followed(settings(), 500.0);
    assert_eq!(props.dropped, 0, "detail flows in over ground that stays");
    let mut flown = 0.0;
    let mut fly = |app: &mut App, props: &mut Props, frames: u16| {
        let made = props.made;
        for _ in 0..frames {
            flown += 4.0;
            move_to(app, viewer, flown, flown / 3.0);
            props.frame(app, terrain);
        }
        props.settle(app, terrain);
        assert!(props.made > made, "which tests nothing");
    };
    fly(&mut app, &mut props, 200);
    // The level of the coarsest chunks changes.
    for view_distance in [900.0, 200.0, 700.0, 60.0, 500.0] {
        see(&mut app, viewer, view_distance);
        fly(&mut app, &mut props, 60);
    }
    assert!(props.changed > 200, "{} changes", props.changed);
    // A teleport: all ground goes, and other ground comes, in the same frame.
    let ground: Vec<_> = props.levels.keys().copied().collect();
    move_to(&mut app, viewer, -50_000.0, 3.0);
    props.frame(&mut app, terrain);
    assert!(!props.levels.is_empty() && ground.iter().all(|cell| !props.levels.contains_key(cell)));
    props.settle(&mut app, terrain);
    // Heights are made anew: what stands on them goes, and comes again.
    let dropped = props.dropped;
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    props.settle(&mut app, terrain);
    assert!(props.dropped > dropped + 30);
    edit(&mut app, terrain, |settings| settings.chunks.quads = 16);
    props.settle(&mut app, terrain);
    // Somebody takes a chunk away: its ground is not gone.
    let dropped = props.dropped;
    let some = *shown(&mut app, terrain).values().next().expect("chunks are shown");
    app.world_mut().despawn(some);
    props.settle(&mut app, terrain);
    assert_eq!(props.dropped, dropped);
    // And the terrain: all of it is.
    app.world_mut().despawn(terrain);
    app.update();
    props.follow(&told(&mut app), &BTreeMap::new());
}

#[test]
fn who_only_listens_knows_of_coarse_ground_of_which_a_part_stays() {
    let (mut app, terrain, viewer, mut props) = followed(settings_with_levels(100.0), 900.0);
    // What is still in view is split, and the rest of it goes.
    for (view_distance, pixel_error) in [(140.0, 5.0), (900.0, 100.0), (250.0, 2.0), (600.0, 60.0)] {
        see(&mut app, viewer, view_distance);
        edit(&mut app, terrain, |settings| settings.lod.pixel_error = pixel_error);
        props.settle(&mut app, terrain);
    }
    assert!(props.partly > 0);
}

#[test]
fn merging_at_the_horizon_tells_no_ground_as_new_that_was_drawn() {
    let (mut app, terrain, viewer, mut props) = followed(settings(), 420.0);
    let mut partly_new = 0;
    for step in 0..600_u16 {
        move_to(&mut app, viewer, f32::from(step) * 3.0, f32::from(step));
        see(&mut app, viewer, f32::from(60 + step));
        let before: HashSet<ChunkCoord> = props.levels.keys().copied().collect();
        app.update();
        let (told, now) = (told(&mut app), shown(&mut app, terrain));
        // Which asserts that no ground is told as new that is known.
        props.follow(&told, &now);
        let merged = told.levels.iter().filter(|change| !change.is_finer());
        let is_partly_new = |area| cells(area).iter().any(|cell| !before.contains(cell));
        partly_new += merged.filter(|change| is_partly_new(change.area)).count();
    }
    assert!(partly_new > 0, "no chunk at the horizon was merged into a larger one, which tests nothing");
}

#[test]
fn within_a_frame_what_is_gone_is_told_before_what_is_new() {
    /// The kinds of events of a frame, in the order in which they were heard.
    #[derive(Resource, Default)]
    struct Order(Vec<usize>);

    // Without threads, so that reloads end in time on a busy machine.
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    app.init_resource::<Order>()
        .add_observer(|_: On<ChunkHidden>, mut order: ResMut<Order>| order.0.push(0))
        .add_observer(|_: On<GroundHidden>, mut order: ResMut<Order>| order.0.push(1))
        .add_observer(|_: On<ChunkShown>, mut order: ResMut<Order>| order.0.push(2))
        .add_observer(|_: On<GroundShown>, mut order: ResMut<Order>| order.0.push(3))
        .add_observer(|_: On<ChunkLevelChanged>, mut order: ResMut<Order>| order.0.push(4))
        .add_observer(|_: On<TerrainReady>, mut order: ResMut<Order>| order.0.push(5));
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 500.0);
    let mut frames_with = [[0; 6]; 6];
    for step in 0..600_u16 {
        let jump = f32::from(step / 150) * 7000.0;
        move_to(&mut app, viewer, jump + f32::from(step % 150) * 4.0, 0.0);
        if step % 100 == 70 {
            edit(&mut app, terrain, |settings| settings.field.seed += 1);
        }
        app.update();
        let order = std::mem::take(&mut app.world_mut().resource_mut::<Order>().0);
        assert!(order.is_sorted(), "{order:?}");
        for (one, other) in (0..6).flat_map(|one| (0..6).map(move |other| (one, other))) {
            frames_with[one][other] += usize::from(order.contains(&one) && order.contains(&other));
        }
        std::thread::yield_now();
    }
    assert!(frames_with[0][2] > 20 && frames_with[1][3] > 5 && frames_with[1][4] > 5, "{frames_with:?}");
}

#[test]
fn who_only_listens_hears_nothing_of_chunks_that_wait_for_their_despawn() {
    let mut app = slow_app();
    listen(&mut app);
    // Every look at the clock takes longer than a frame's budget: chunks are despawned as slowly as may be.
    count_work(&mut app, std::time::Duration::from_millis(5));
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 900.0);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
    let mut waiting = 0;
    for (number, x) in [20_000.0, 400.0, -9000.0, 200.0, -700.0, 0.0].into_iter().cycle().take(36).enumerate() {
        move_to(&mut app, viewer, x, 0.0);
        for _ in 0..number % 7 + 1 {
            props.frame(&mut app, terrain);
            waiting += stats(&app).chunks_despawning;
        }
    }
    // A game takes one of them away, which does not come again.
    props.settle(&mut app, terrain);
    move_to(&mut app, viewer, 90_000.0, 0.0);
    props.frame(&mut app, terrain);
    let mut chunks = app.world_mut().query::<(Entity, &ChunkBounds, &ChunkDrawn)>();
    let is_behind = |(_, bounds, _): &(Entity, &ChunkBounds, &ChunkDrawn)| bounds.max.x < 50_000.0;
    let behind: Vec<_> =
        chunks.iter(app.world()).filter(is_behind).map(|(chunk, _, drawn)| (chunk, drawn.is_drawn())).collect();
    assert!(behind.iter().all(|(_, is_drawn)| !is_drawn));
    app.world_mut().despawn(behind.first().expect("chunks wait").0);
    assert_eq!(told(&mut app), Told::default());
    props.settle(&mut app, terrain);
    assert!(waiting > 100, "{waiting} chunks waited, which tests nothing");
}

#[test]
fn ground_of_chunks_that_a_game_takes_away_is_known_whatever_is_drawn_there_next() {
    let (mut app, terrain, viewer, mut props) = followed(settings(), 500.0);
    let mut taken = 0;
    for step in 0..60_u16 {
        // The whole of larger chunks, and some by themselves; the viewer walks, and jumps now and then.
        let parent = |coord: &ChunkCoord| (coord.ancestor(coord.level + 1).x + i64::from(step)) % 5 == 0;
        for (coord, chunk) in shown(&mut app, terrain) {
            if parent(&coord) {
                app.world_mut().despawn(chunk);
                taken += 1;
            }
        }
        let jump = if step % 12 == 11 { 350.0 } else { 0.0 };
        move_to(&mut app, viewer, f32::from(step) * 6.0 + f32::from(step / 12) * 350.0 + jump, 0.0);
        edit(&mut app, terrain, |settings| settings.lod.pixel_error = if step % 8 < 4 { 30.0 } else { 90.0 });
        for _ in 0..1 + step % 3 {
            props.frame(&mut app, terrain);
        }
    }
    assert!(taken > 500, "{taken}");
    props.settle(&mut app, terrain);
    assert_seamless(&mut app, terrain);
}

#[test]
fn a_terrain_that_is_one_no_more_takes_its_ground_with_it() {
    let (mut app, terrain, _, mut props) = followed(settings(), 200.0);
    app.world_mut().entity_mut(terrain).remove::<Terrain>();
    app.update();
    props.follow(&told(&mut app), &BTreeMap::new());
}

#[test]
fn who_takes_away_what_has_just_come_hears_of_both_in_order_and_leaves_nothing() {
    // One chunk as soon as it is shown, or the terrain as soon as that is told of one of its chunks.
    for takes_terrain in [false, true] {
        let mut app = slow_app();
        let terrain = add_terrain(&mut app, settings());
        add_viewer(&mut app, 0.0, 0.0, 500.0);
        let mut come = 0;
        if takes_terrain {
            app.add_observer(move |event: On<ChunkShown>, mut commands: Commands| {
                come += 1;
                if come == 30 {
                    commands.entity(event.terrain).try_despawn();
                }
            });
        } else {
            app.add_observer(move |event: On<ChunkShown>, mut commands: Commands| {
                come += 1;
                if come == 30 {
                    commands.entity(event.chunk).despawn();
                }
            });
        }
        let known = |app: &mut App| {
            let mut chunks = app.world_mut().query_filtered::<(Entity, &ChunkDrawn), With<TerrainChunk>>();
            let shown = chunks.iter(app.world()).filter(|(_, drawn)| drawn.is_drawn());
            shown.map(|(entity, _)| entity).collect::<HashSet<_>>()
        };
        app.add_observer(|event: On<ChunkShown>, mut here: ResMut<Here>| assert!(here.0.insert(event.chunk)))
            .add_observer(|event: On<ChunkHidden>, mut here: ResMut<Here>| assert!(here.0.remove(&event.chunk)))
            .init_resource::<Here>();
        for _ in 0..400 {
            app.update();
            let shown = known(&mut app);
            assert_eq!(app.world().resource::<Here>().0, shown, "what is told is what is there");
            std::thread::yield_now();
        }
        if takes_terrain {
            assert_eq!(chunk_entities(&mut app), 0);
        } else {
            settle(&mut app, terrain);
            assert_seamless(&mut app, terrain);
        }
    }
}

#[test]
fn what_is_taken_away_before_it_is_told_is_told_once_when_it_comes() {
    #[derive(Resource)]
    struct Taken(ChunkCoord);

    // One of the chunks that are built at once, and one that is built later.
    for number in [3, 120] {
        let mut app = with_chunks_per_frame(app_without_threads(), 6);
        let terrain = add_terrain(&mut app, settings());
        add_viewer(&mut app, 0.0, 0.0, 500.0);
        let mut come = 0;
        app.add_observer(move |event: On<Add, TerrainChunk>, chunks: Query<&TerrainChunk>, mut commands: Commands| {
            come += 1;
            if come == number {
                commands.insert_resource(Taken(chunks.get(event.entity).expect("it has come").coord));
                commands.entity(event.entity).despawn();
            }
        });
        listen(&mut app);
        let mut props = Props::default();
        pump_until(&mut app, "a chunk is taken away", |app| {
            let (told, now) = (told(app), shown(app, terrain));
            let Some(&Taken(taken)) = app.world().get_resource::<Taken>() else {
                props.follow(&told, &now);
                return false;
            };
            assert!(!told.hidden.iter().any(|hidden| hidden.coord == taken), "it was never told that it came");
            assert!(!told.shown.iter().any(|shown| shown.coord == taken), "it has not come");
            // Its ground may be told in this frame, as it was to be drawn.
            let whole = now.into_iter().chain(told.ground_shown.iter().map(|shown| (shown.area, shown.terrain)));
            props.follow(&told, &whole.collect());
            true
        });
        props.settle(&mut app, terrain);
        assert_seamless(&mut app, terrain);
    }
}

/// The chunks that are there, as far as a game was told.
#[derive(Resource, Default)]
struct Here(HashSet<Entity>);

#[test]
fn bounds_are_those_of_the_ground() {
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 3000.0, -2000.0, 400.0);
    let (mut checked, mut changes) = (0, 0);
    for step in 0..250_u8 {
        move_to(&mut app, viewer, 3000.0 + f32::from(step) * 9.0, -2000.0);
        app.update();
        let told = told(&mut app);
        for shown in &told.shown {
            let layout = *state(&app, terrain).layout().expect("there is ground");
            let [west, north] = layout.origin(shown.coord);
            let surface = &app.world().get::<ChunkSurface>(shown.chunk).expect("a surface").0;
            let places = surface
                .positions
                .iter()
                .map(|&[x, y, z]| DVec3::new(west + f64::from(x), f64::from(y), north + f64::from(z)));
            let (min, max) = places
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), place| (min.min(place), max.max(place)));
            assert_eq!(shown.bounds, ChunkBounds { min, max });
            assert_eq!(app.world().get::<ChunkBounds>(shown.chunk), Some(&shown.bounds));
            checked += 1;
        }
        let areas = (told.ground_shown.iter().map(|shown| (shown.area, shown.bounds)))
            .chain(told.ground_hidden.iter().map(|hidden| (hidden.area, hidden.bounds)));
        for (area, bounds) in areas {
            let layout = *state(&app, terrain).layout().expect("there is ground");
            let ([west, north], size) = (layout.origin(area), layout.chunk_size(area.level));
            assert_eq!(
                [bounds.min.x, bounds.min.z, bounds.max.x, bounds.max.z],
                [west, north, west + size, north + size]
            );
            let field = state(&app, terrain).field().expect("there is ground");
            let middle = f64::from(field.height(bounds.center().x, bounds.center().z));
            assert!((bounds.min.y..=bounds.max.y).contains(&middle), "{middle} in {bounds:?}");
        }
        for change in &told.levels {
            let layout = *state(&app, terrain).layout().expect("there is ground");
            let within = shown(&mut app, terrain).into_iter().filter(|(coord, _)| {
                coord.level <= change.area.level && coord.ancestor(change.area.level) == change.area
            });
            let boxes = within.map(|(_, chunk)| *app.world().get::<ChunkBounds>(chunk).expect("bounds"));
            // At the horizon, a part of the area may be out of view.
            let drawn = boxes.reduce(|one, other| one.union(&other)).expect("the area is drawn");
            assert_eq!([drawn.min.y, drawn.max.y], [change.bounds.min.y, change.bounds.max.y]);
            assert_eq!([change.bounds.min.x, change.bounds.min.z], layout.origin(change.area));
            assert_eq!(change.bounds.size().x, layout.chunk_size(change.area.level));
            changes += 1;
        }
    }
    assert!(checked > 100 && changes > 20, "{checked} chunks, {changes} changes");
}

#[test]
fn one_terrain_can_be_observed_by_itself() {
    #[derive(Resource, Default)]
    struct Count(usize);
    let mut app = slow_app();
    app.init_resource::<Count>();
    let [one, other] = [5, 6].map(|seed| {
        let mut settings = settings();
        settings.field.seed = seed;
        add_terrain(&mut app, settings)
    });
    app.world_mut().entity_mut(other).observe(move |shown: On<ChunkShown>, mut count: ResMut<Count>| {
        assert_eq!(shown.terrain, other);
        count.0 += 1;
    });
    add_viewer(&mut app, 0.0, 0.0, 200.0);
    settle(&mut app, one);
    settle(&mut app, other);
    assert!(app.world().resource::<Count>().0 >= shown(&mut app, other).len());
}
