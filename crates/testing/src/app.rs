//! Shared by the headless tests: an app without a window, small settings, and a bounded number of frames.

pub mod log;
pub mod messages;
// Examples for browsers are built with the crates of tests, although none uses them there.
#[cfg(all(feature = "render", not(target_family = "wasm")))]
pub mod render;

use bevy::app::PluginsState;
use bevy::ecs::component::ComponentId;
use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor, SystemKey};
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::{
    ChunkCoord, ChunkSettings, LodSettings, Morph, SeamReport, StreamSettings, Viewer, seam_report,
};
use bevy_perlin_terrain::field::FieldSettings;
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{TerrainClock, TerrainStreamPlugin};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A test fails after this many frames. Tests need a thousandth of them on an idle machine. A task that is canceled while it runs
/// can keep a thread of a busy machine for thousands of frames.
const MAX_FRAMES: usize = 20_000;

/// Adds a clock that advances by 1/60 s per frame, and a stopped clock for time budgets. So the work of a frame depends only on
/// counts, on any machine.
pub fn with_manual_clock(mut app: App) -> App {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60))
        .insert_resource(TerrainClock::new(|| Duration::ZERO));
    app
}

/// Finishes the plugins.
pub fn finish(app: &mut App) {
    while app.plugins_state() == PluginsState::Adding {}
    app.finish();
    app.cleanup();
}

/// Advances the clock for time budgets by `per_read` whenever it is read. So work is counted, not measured.
pub fn count_work(app: &mut App, per_read: Duration) {
    let reads = AtomicU32::new(0);
    let now = move || per_read * reads.fetch_add(1, Ordering::Relaxed);
    app.insert_resource(TerrainClock::new(now));
}

/// Changes the machine's budgets.
pub fn set_budget(app: &mut App, change: impl FnOnce(&mut TerrainBudget)) {
    change(&mut app.world_mut().resource_mut::<TerrainBudget>());
}

/// An app with terrain and without a window, a renderer or files.
pub fn headless_app() -> App {
    let mut app = with_manual_clock(App::new());
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainMinimalPlugins));
    app
}

/// An app that builds its chunks on the main thread.
pub fn app_without_threads() -> App {
    let mut app = with_manual_clock(App::new());
    let terrain = TerrainMinimalPlugins.build().set(TerrainStreamPlugin { threads: false, ..default() });
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), terrain));
    app
}

/// Limits `app` to this number of chunks per frame, without the chunks that must be built within the frame.
pub fn with_chunks_per_frame(mut app: App, chunks: u32) -> App {
    set_budget(&mut app, |budget| budget.chunks_per_frame = chunks);
    app
}

/// A headless app that spawns few chunks per frame.
pub fn slow_app() -> App {
    with_chunks_per_frame(headless_app(), 6)
}

/// Runs the tests that call it one at a time: until the result is dropped.
///
/// All tests of a process share its task pools. A thread that waits for its own systems may run systems of other tests. Then it
/// counts their allocations and records their warnings.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs all systems of `app` on the thread that updates it.
pub fn on_this_thread(app: &mut App) {
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
}

/// Chunks of 8 x 8 quads and 32 x 32 m, which are built fast. Everything in view has full detail.
pub fn small_settings() -> TerrainSettings {
    TerrainSettings {
        field: FieldSettings {
            seed: 5,
            base_height: 10.0,
            layers: vec![
                NoiseSettings { octaves: 3, frequency: 0.01, height_scale: 40.0, ..Default::default() }.into(),
            ],
            edits: vec![],
        },
        chunks: ChunkSettings { quads: 8, spacing: 4.0 },
        lod: LodSettings { pixel_error: 0.0, ..Default::default() },
        stream: StreamSettings { look_ahead: 0.0 },
        ..Default::default()
    }
}

/// The small settings with levels of detail. With a larger `pixel_error`, coarse levels are nearer.
pub fn settings_with_levels(pixel_error: f64) -> TerrainSettings {
    TerrainSettings { lod: LodSettings { pixel_error, ..Default::default() }, ..small_settings() }
}

/// Spawns a terrain made from `settings`.
pub fn add_terrain(app: &mut App, settings: TerrainSettings) -> Entity {
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(settings);
    app.world_mut().spawn(Terrain(handle)).id()
}

/// Spawns a terrain with position `(x, z)` at the origin of the world.
pub fn add_terrain_at(app: &mut App, settings: TerrainSettings, [x, z]: [f64; 2]) -> Entity {
    let terrain = add_terrain(app, settings);
    app.world_mut().entity_mut(terrain).insert(TerrainOrigin::new(x, z));
    terrain
}

/// Spawns a viewer.
pub fn add_viewer(app: &mut App, x: f32, z: f32, view_distance: f32) -> Entity {
    app.world_mut().spawn((TerrainViewer { view_distance }, Transform::from_xyz(x, 0.0, z))).id()
}

/// Moves an entity to `(x, z)` and keeps its height.
pub fn move_to(app: &mut App, entity: Entity, x: f32, z: f32) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).expect("it has a transform");
    transform.translation = Vec3::new(x, transform.translation.y, z);
}

/// Sets the view distance of a viewer.
pub fn set_view_distance(app: &mut App, viewer: Entity, view_distance: f32) {
    app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer").view_distance = view_distance;
}

/// A transform for a terrain: far from the origin, rotated, and with a scale of 2.
pub fn moved_and_rotated() -> Transform {
    Transform::from_xyz(1000.0, 50.0, -2000.0)
        .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0))
}

/// Changes the settings asset of a terrain, as game code and the inspector do.
pub fn edit(app: &mut App, terrain: Entity, change: impl FnOnce(&mut TerrainSettings)) {
    let handle = app.world().get::<Terrain>(terrain).expect("a terrain").0.clone();
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainSettings>>();
    change(&mut assets.get_mut(&handle).expect("the settings are loaded"));
}

/// Runs frames until `condition` holds, at least one.
///
/// # Panics
///
/// If it does not hold within `MAX_FRAMES`. The message has the statistics of the terrain.
pub fn pump_until(app: &mut App, what: &str, mut condition: impl FnMut(&mut App) -> bool) {
    for _ in 0..MAX_FRAMES {
        app.update();
        if condition(app) {
            return;
        }
        help_with_tasks();
    }
    let mut states = app.world_mut().query::<&TerrainState>();
    let problems: Vec<String> =
        states.iter(app.world()).flat_map(TerrainState::problems).map(ToString::to_string).collect();
    panic!(
        "`{what}` is not true after {MAX_FRAMES} frames: {:?}, problems: {problems:?}",
        app.world().resource::<TerrainStats>()
    );
}

/// Runs the background tasks that wait, on this thread too. Without it, a busy machine may run thousands of short frames before it
/// runs one task.
fn help_with_tasks() {
    // A scope runs other tasks of the pool until its own is done, and tasks run in the order in which they were added.
    AsyncComputeTaskPool::get().scope(|scope| scope.spawn(async {}));
}

/// Runs a number of frames.
pub fn pump(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
        std::thread::yield_now();
    }
}

/// The state of a terrain.
pub fn state(app: &App, terrain: Entity) -> &TerrainState {
    app.world().get::<TerrainState>(terrain).expect("every terrain has a state")
}

/// The problems of a terrain's settings.
pub fn problems(app: &App, terrain: Entity) -> Vec<String> {
    state(app, terrain).problems().map(ToString::to_string).collect()
}

/// The warnings about a terrain's settings.
pub fn warnings(app: &App, terrain: Entity) -> Vec<String> {
    state(app, terrain).warnings().map(ToString::to_string).collect()
}

/// The statistics of all terrains.
pub fn stats(app: &App) -> TerrainStats {
    *app.world().resource::<TerrainStats>()
}

/// Runs frames until all wanted chunks are drawn and no work is left.
pub fn settle(app: &mut App, terrain: Entity) {
    pump_until(app, "the terrain is settled", |app| {
        let state = state(app, terrain);
        state.is_settled() && state.is_idle()
    });
}

/// A settled terrain in `app`, and a viewer at the origin: the app, both entities.
pub fn settled(mut app: App, settings: TerrainSettings, view_distance: f32) -> (App, Entity, Entity) {
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, view_distance);
    settle(&mut app, terrain);
    (app, terrain, viewer)
}

/// The drawn chunks of a terrain.
///
/// # Panics
///
/// If two of them have the same coordinates, or if one is not a child of the terrain.
pub fn drawn_chunks(app: &mut App, terrain: Entity) -> BTreeMap<ChunkCoord, Entity> {
    let mut drawn = BTreeMap::new();
    let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk, &ChildOf, &ChunkDrawn)>();
    for (entity, chunk, parent, _) in
        chunks.iter(app.world()).filter(|(_, chunk, _, drawn)| chunk.terrain == terrain && drawn.is_drawn())
    {
        assert_eq!(parent.parent(), terrain, "{chunk:?} is not a child of its terrain");
        assert_eq!(drawn.insert(chunk.coord, entity), None, "{chunk:?} is drawn twice");
    }
    drawn
}

/// Asserts that the drawn chunks cover the ground within the current view of every viewer exactly once, that neighbors differ
/// by one level at most, and that each chunk has the stitch mask that its neighbors need.
#[track_caller]
pub fn assert_tiled(app: &mut App, terrain: Entity) {
    let drawn = drawn_chunks(app, terrain);
    let state = state(app, terrain);
    let (Some(layout), Some(plan)) = (state.layout(), state.plan()) else {
        assert!(drawn.is_empty());
        return;
    };
    let tree = plan.drawn();
    let leaves: BTreeSet<ChunkCoord> = tree.leaves().iter().copied().collect();
    assert_eq!(drawn.keys().copied().collect::<BTreeSet<_>>(), leaves, "the drawn chunks are not those of the plan");
    // A chunk compares equal to the chunks that it contains.
    assert!(tree.leaves().is_sorted_by(|one, other| one.compare_positions(*other).is_lt()), "drawn chunks overlap");
    for (&coord, &entity) in &drawn {
        let mask = app.world().get::<ChunkStitchMask>(entity).map(|mask| mask.0);
        assert_eq!(mask, Some(tree.stitch_mask(coord)), "{coord:?}");
        let mut around = (-1..=1).flat_map(|z| (-1..=1).map(move |x| coord.neighbor(x, z)));
        let is_near = |beside: ChunkCoord| tree.leaves_in(beside).iter().all(|leaf| leaf.level <= coord.level + 1);
        assert!(around.all(is_near), "{coord:?} has a neighbor that is two levels coarser");
    }
    for viewer in plan.viewers() {
        let (view, [x, z]) = (viewer.current.point.view_distance, viewer.current.xz());
        for step in 0..60_u8 {
            let (radius, angle) = (0.999 * view * f64::from(step % 6) / 5.0, f64::from(step));
            let (x, z) = (x + radius * angle.cos(), z + radius * angle.sin());
            let over = tree.leaves_in(layout.chunk_at(0, x, z)).len();
            assert_eq!(over, usize::from(view >= 0.0), "chunks {radius} m from {:?}", viewer.current);
        }
    }
}

/// Asserts that the ground [is tiled](assert_tiled) without a seam. Returns the report on its borders.
#[track_caller]
pub fn assert_seamless(app: &mut App, terrain: Entity) -> SeamReport {
    assert_tiled(app, terrain);
    let state = state(app, terrain);
    let (Some(field), Some(layout), Some(tree)) = (state.field(), state.layout(), state.quadtree()) else {
        return SeamReport::default();
    };
    let viewers: Vec<Viewer> = state.viewers().collect();
    let center = viewers.first().map_or([0.0; 2], center_near);
    let report = seam_report(field, layout, tree, &Morph::new(&viewers, center), center);
    assert_eq!(report.seams, []);
    report
}

/// The position of a viewer, rounded to metres.
fn center_near(viewer: &Viewer) -> [f64; 2] {
    viewer.xz().map(f64::round)
}

/// Asserts that the number of chunks of all terrains is the number of wanted chunks.
#[track_caller]
pub fn assert_nothing_left(app: &mut App) {
    let mut states = app.world_mut().query::<&TerrainState>();
    let wanted: usize = states.iter(app.world()).map(TerrainState::chunks_wanted).sum();
    assert_eq!(chunk_entities(app), wanted);
}

/// All chunks of all terrains, drawn or not.
pub fn all_chunks(app: &mut App) -> Vec<Entity> {
    app.world_mut().query_filtered::<Entity, With<TerrainChunk>>().iter(app.world()).collect()
}

/// The number of chunks of all terrains, drawn or not.
pub fn chunk_entities(app: &mut App) -> usize {
    all_chunks(app).len()
}

/// Every set of the terrain's systems.
pub const TERRAIN_SETS: &[TerrainSystems] = &[
    TerrainSystems::First,
    TerrainSystems::React,
    TerrainSystems::Select,
    TerrainSystems::Generate,
    TerrainSystems::Apply,
    TerrainSystems::Render,
    TerrainSystems::Last,
];

/// The pairs of systems in `schedule` that access the same data, one of them to write, and have no order. Only pairs with a
/// system in one of `sets`, or all pairs if `sets` is empty. The names need Bevy's `debug` feature.
pub fn ambiguities(app: &App, schedule: impl ScheduleLabel, sets: &[TerrainSystems]) -> Vec<String> {
    let schedules = app.world().resource::<Schedules>();
    let schedule = schedules.get(schedule).expect("the schedule exists");
    let graph = schedule.graph();
    let names: BTreeMap<_, _> =
        schedule.systems().expect("the schedule has run").map(|(key, system)| (key, system.name())).collect();
    let members: Vec<_> = sets.iter().filter_map(|set| graph.systems_in_set(set.intern()).ok()).flatten().collect();
    let describe = |(a, b, on): &(SystemKey, SystemKey, Box<[ComponentId]>)| {
        let on: Vec<_> = on.iter().map(|&id| app.world().components().get_name(id)).collect();
        format!("{:?} and {:?} on {on:?}", names.get(a), names.get(b))
    };
    graph
        .conflicting_systems()
        .iter()
        .filter(|(a, b, _)| sets.is_empty() || members.contains(&a) || members.contains(&b))
        .map(describe)
        .collect()
}
