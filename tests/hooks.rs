//! What games learn from the streaming: which ground comes, changes its level and goes, and whether it is ready.

mod common;

use bevy::ecs::system::RunSystemOnce;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_perlin_terrain::chunk::{ChunkCoord, LodSettings};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{TerrainHistory, TerrainHistoryPlugin};
use common::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The small settings, with levels of detail. The finest reach some hundred metres.
fn settings() -> TerrainSettings {
    TerrainSettings { lod: LodSettings { pixel_error: 30.0, ..default() }, ..small_settings() }
}

/// An app in which few chunks are spawned in a frame.
fn slow_app() -> App {
    slow(headless_app())
}

fn slow(mut app: App) -> App {
    set_budget(&mut app, |budget| budget.chunks_per_frame = 6);
    app
}

/// The finest chunks that make up `chunk`.
fn cells(chunk: ChunkCoord) -> Vec<ChunkCoord> {
    let (mut cells, mut left) = (Vec::new(), vec![chunk]);
    while let Some(chunk) = left.pop() {
        if chunk.level == 0 { cells.push(chunk) } else { left.extend(chunk.children()) }
    }
    cells
}

/// What was told in a frame.
#[derive(Default, Debug, PartialEq)]
struct Told {
    hidden: Vec<ChunkHidden>,
    ground_hidden: Vec<GroundHidden>,
    shown: Vec<ChunkShown>,
    ground_shown: Vec<GroundShown>,
    levels: Vec<ChunkLevelChanged>,
    ready: Vec<TerrainReady>,
}

/// What observers heard.
#[derive(Resource, Default)]
struct Heard(Told);

/// What was read in messages.
#[derive(Resource, Default)]
struct Read(Told);

fn listen(app: &mut App) {
    app.init_resource::<Heard>()
        .add_observer(|event: On<ChunkHidden>, mut heard: ResMut<Heard>| heard.0.hidden.push(*event))
        .add_observer(|event: On<GroundHidden>, mut heard: ResMut<Heard>| heard.0.ground_hidden.push(*event))
        .add_observer(|event: On<ChunkShown>, mut heard: ResMut<Heard>| heard.0.shown.push(*event))
        .add_observer(|event: On<GroundShown>, mut heard: ResMut<Heard>| heard.0.ground_shown.push(*event))
        .add_observer(|event: On<ChunkLevelChanged>, mut heard: ResMut<Heard>| heard.0.levels.push(*event))
        .add_observer(|event: On<TerrainReady>, mut heard: ResMut<Heard>| heard.0.ready.push(*event))
        .init_resource::<Read>()
        .add_systems(Last, read);
}

fn read(
    mut hidden: MessageReader<ChunkHidden>,
    mut ground_hidden: MessageReader<GroundHidden>,
    mut shown: MessageReader<ChunkShown>,
    mut ground_shown: MessageReader<GroundShown>,
    mut levels: MessageReader<ChunkLevelChanged>,
    mut ready: MessageReader<TerrainReady>,
    mut read: ResMut<Read>,
) {
    read.0.hidden.extend(hidden.read());
    read.0.ground_hidden.extend(ground_hidden.read());
    read.0.shown.extend(shown.read());
    read.0.ground_shown.extend(ground_shown.read());
    read.0.levels.extend(levels.read());
    read.0.ready.extend(ready.read());
}

/// What was told since the last time.
#[track_caller]
fn told(app: &mut App) -> Told {
    let heard = std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0);
    let read = std::mem::take(&mut app.world_mut().resource_mut::<Read>().0);
    assert_eq!(heard, read, "observers hear what messages say");
    heard
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
    let mut app = slow_app();
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 500.0);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
    assert_eq!(props.dropped, 0, "detail flows in over ground that stays");
    let see = |app: &mut App, view_distance| {
        app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer").view_distance = view_distance;
    };
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
        see(&mut app, view_distance);
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
    let mut app = slow_app();
    listen(&mut app);
    let coarse = LodSettings { pixel_error: 100.0, ..default() };
    let terrain = add_terrain(&mut app, TerrainSettings { lod: coarse, ..settings() });
    let viewer = add_viewer(&mut app, 0.0, 0.0, 900.0);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
    // What is still in view is split, and the rest of it goes.
    for (view_distance, pixel_error) in [(140.0, 5.0), (900.0, 100.0), (250.0, 2.0), (600.0, 60.0)] {
        app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer").view_distance = view_distance;
        edit(&mut app, terrain, |settings| settings.lod.pixel_error = pixel_error);
        props.settle(&mut app, terrain);
    }
    assert!(props.partly > 0);
}

#[test]
fn merging_at_the_horizon_tells_no_ground_as_new_that_was_drawn() {
    let mut app = slow_app();
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 420.0);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
    let mut partly_new = 0;
    for step in 0..600_u16 {
        move_to(&mut app, viewer, f32::from(step) * 3.0, f32::from(step));
        app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer").view_distance = f32::from(60 + step);
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

    let mut app = slow_app();
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
    let mut app = slow_app();
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 500.0);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
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
    let mut app = slow_app();
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    add_viewer(&mut app, 0.0, 0.0, 200.0);
    let mut props = Props::default();
    props.settle(&mut app, terrain);
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
        let mut app = slow(app_without_threads());
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
    let mut app = slow(app_without_threads());
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

/// Asks about the ground.
fn ask<R: 'static>(app: &mut App, question: impl Fn(&mut TerrainStreamState) -> R + Send + Sync + 'static) -> R {
    let answer = app.world_mut().run_system_once(move |mut terrain: TerrainStreamState| question(&mut terrain));
    answer.expect("the question can be asked")
}

fn is_settled(app: &mut App) -> bool {
    app.world_mut().run_system_once(is_terrain_ready).expect("the question can be asked")
}

fn is_ready(app: &mut App, place: Vec3, radius: f32) -> bool {
    ask(app, move |terrain| terrain.is_ready(place, radius))
}

fn progress(app: &mut App, place: Vec3, radius: f32) -> f32 {
    ask(app, move |terrain| terrain.progress(place, radius))
}

/// The chunks that are shown within a distance of a place.
fn shown_within(app: &mut App, terrain: Entity, [x, z]: [f64; 2], radius: f64) -> Vec<ChunkCoord> {
    let layout = *state(app, terrain).layout().expect("there is ground");
    let shown = shown(app, terrain).into_keys();
    shown.filter(|&chunk| layout.distance(chunk, [x, z]) <= radius).collect()
}

#[test]
fn ground_is_ready_when_it_has_the_chunks_that_it_will_have() {
    let mut app = slow_app();
    assert!(!is_ready(&mut app, Vec3::ZERO, 100.0), "there is no terrain");
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    assert!(!is_ready(&mut app, Vec3::ZERO, 100.0), "there are no settings yet");
    let mut frames_apart = 0;
    for place in [[0.0, 0.0], [350.0, -80.0], [9000.0, 9000.0]] {
        let [x, z] = place;
        let here = Vec3::new(x, 1234.0, z);
        move_to(&mut app, viewer, x, z);
        let (mut near, mut last, mut frame) = (None, 0.0, 0);
        pump_until(&mut app, "settled", |app| {
            frame += 1;
            let (ready, part) = (is_ready(app, here, 60.0), progress(app, here, 60.0));
            assert_eq!(ready, part == 1.0, "{part} around {place:?}");
            assert!((0.0..=1.0).contains(&part));
            last = part;
            if ready && near.is_none() {
                near = Some((frame, shown_within(app, terrain, place.map(f64::from), 60.0)));
            }
            assert_eq!(is_settled(app), state(app, terrain).is_settled());
            state(app, terrain).is_settled()
        });
        let (when, chunks) = near.expect("it was ready at last");
        assert_eq!(chunks, shown_within(&mut app, terrain, place.map(f64::from), 60.0));
        assert_eq!(last, 1.0);
        frames_apart += frame - when;
        assert!(is_ready(&mut app, here, f32::INFINITY), "all is ready");
    }
    assert!(frames_apart > 10, "what is near is ready no sooner than all: {frames_apart} frames");
    for (place, radius) in [(Vec3::ZERO, 60.0), (Vec3::NAN, 60.0), (Vec3::INFINITY, f32::INFINITY)] {
        assert!(!is_ready(&mut app, place, radius), "{place} is out of view");
        assert_eq!(progress(&mut app, place, radius), 0.0);
    }
    for radius in [0.0, -5.0, f32::NAN] {
        assert!(is_ready(&mut app, Vec3::new(9000.0, 0.0, 9000.0), radius), "the place itself");
    }
}

#[test]
fn ground_that_is_made_anew_is_ready_when_the_new_is_shown() {
    let mut app = slow_app();
    let terrain = add_terrain(&mut app, settings());
    add_viewer(&mut app, 0.0, 0.0, 300.0);
    settle(&mut app, terrain);
    assert!(is_ready(&mut app, Vec3::ZERO, 300.0));
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    let mut parts = Vec::new();
    pump_until(&mut app, "reloaded", |app| {
        let is_new = state(app, terrain).field().expect("ground").height(3.0, 5.0)
            == HeightField::new(&state(app, terrain).settings().expect("settings").field).height(3.0, 5.0);
        let ready = is_ready(app, Vec3::ZERO, 50.0);
        assert!(is_new || !ready, "the old ground is not what is wanted");
        parts.push(progress(app, Vec3::ZERO, 50.0));
        ready
    });
    assert!(parts.len() > 3 && parts[0] < 0.5, "{parts:?}");
    // Another detail: nothing is made anew, and what is coarser than wanted is not ready.
    edit(&mut app, terrain, |settings| settings.lod.pixel_error = 5.0);

    app.update();

    assert!(!is_ready(&mut app, Vec3::ZERO, 300.0));
    settle(&mut app, terrain);
    assert!(is_ready(&mut app, Vec3::ZERO, 300.0));
}

#[test]
fn of_several_terrains_each_can_be_asked() {
    let mut app = slow_app();
    let place = Transform::from_xyz(1000.0, 50.0, -2000.0)
        .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    let moved = add_terrain(&mut app, settings());
    app.world_mut().entity_mut(moved).insert(place);
    let at = place.transform_point(Vec3::new(300.0, 0.0, 70.0));
    add_viewer(&mut app, at.x, at.z, 400.0);
    settle(&mut app, moved);
    app.update();
    assert!(is_ready(&mut app, at, 400.0));
    let away = at + Vec3::new(0.0, 0.0, 900.0);
    assert!(!is_ready(&mut app, away, 10.0), "out of view");
    let failed = app.world_mut().spawn(Terrain::default()).id();
    app.update();
    assert!(!is_ready(&mut app, at, 400.0), "one of them has no settings");
    assert_eq!(progress(&mut app, at, 400.0), 0.5);
    for (terrain, part) in [(moved, 1.0), (failed, 0.0), (Entity::PLACEHOLDER, 0.0)] {
        let found =
            ask(&mut app, move |state| (state.is_ready_of(terrain, at, 400.0), state.progress_of(terrain, at, 400.0)));
        assert_eq!(found, (part == 1.0, part));
    }
    assert!(!is_settled(&mut app));
}

#[test]
fn a_terrain_says_once_that_it_is_ready() {
    let mut app = slow_app();
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    pump(&mut app, 30);
    assert_eq!(told(&mut app).ready, [], "nobody looks");
    let viewer = add_viewer(&mut app, 0.0, 0.0, 200.0);
    settle(&mut app, terrain);
    assert_eq!(told(&mut app).ready, [TerrainReady { terrain }]);
    pump(&mut app, 30);
    assert_eq!(told(&mut app).ready, []);
    move_to(&mut app, viewer, 5000.0, 0.0);
    settle(&mut app, terrain);
    assert_eq!(told(&mut app).ready, [TerrainReady { terrain }]);
    edit(&mut app, terrain, |settings| settings.look.snow_height += 1.0);
    pump(&mut app, 30);
    edit(&mut app, terrain, |settings| settings.field.seed += 1);
    settle(&mut app, terrain);
    assert_eq!(told(&mut app).ready.last(), Some(&TerrainReady { terrain }));
}

#[test]
fn a_loading_screen_waits_for_the_ground() {
    #[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    enum Game {
        #[default]
        Loading,
        Playing,
    }
    const START: Vec3 = Vec3::new(40.0, 0.0, 25.0);
    #[derive(Resource, Default)]
    struct AllReady(u32);
    let mut app = slow_app();
    app.add_plugins(StatesPlugin).init_state::<Game>().init_resource::<AllReady>().add_systems(
        Update,
        (
            (|mut game: ResMut<NextState<Game>>| game.set(Game::Playing))
                .run_if(in_state(Game::Loading).and_then(terrain_ready_around(START, 100.0))),
            (|mut count: ResMut<AllReady>| count.0 += 1).run_if(is_terrain_ready),
        ),
    );
    let terrain = add_terrain(&mut app, settings());
    pump(&mut app, 30);
    add_viewer(&mut app, START.x, START.z, 400.0);
    pump_until(&mut app, "playing", |app| {
        let was_ready = is_ready(app, START, 100.0);
        let is_playing = *app.world().resource::<State<Game>>() == Game::Playing;
        assert!(!is_playing || was_ready);
        is_playing
    });
    settle(&mut app, terrain);
    pump(&mut app, 1);
    assert!(app.world().resource::<AllReady>().0 > 0);
}

#[test]
fn the_history_has_the_numbers_of_every_frame() {
    let mut app = slow(app_without_threads());
    app.add_plugins(TerrainHistoryPlugin);
    add_terrain(&mut app, settings());
    add_viewer(&mut app, 0.0, 0.0, 400.0);
    let mut expected = Vec::new();
    for _ in 0..TerrainHistory::FRAMES + 20 {
        app.update();
        expected.push(stats(&app));
    }
    let history = app.world().resource::<TerrainHistory>();
    assert!(history.frames().eq(&expected[20..]));
    assert!(history.frames().any(|frame| frame.chunks_drawn > 0));
}

#[test]
fn a_million_kilometres_away_ground_is_told_and_asked_as_here() {
    let mut app = slow_app();
    listen(&mut app);
    let terrain = add_terrain(&mut app, settings());
    app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(1e9, -1e9));
    add_viewer(&mut app, 20.0, 30.0, 300.0);
    settle(&mut app, terrain);
    assert!(is_ready(&mut app, Vec3::new(20.0, 0.0, 30.0), 300.0));
    assert!(!is_ready(&mut app, Vec3::new(20.0, 0.0, 3000.0), 10.0), "out of view");
    let shown = told(&mut app).shown;
    let below = shown.iter().filter(|shown| shown.coord.level == 0 && shown.bounds.contains(1e9 + 20.0, -1e9 + 30.0));
    assert_eq!(below.count(), 1);
    for ChunkShown { coord, bounds, .. } in shown {
        let side = 32.0 * f64::from(1 << coord.level);
        assert_eq!([bounds.min.x, bounds.min.z], [coord.x, coord.z].map(|along| along as f64 * side));
    }
}
