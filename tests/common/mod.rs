//! What the headless tests share: an app without a window, small settings and bounded pumping.

#![allow(dead_code, reason = "every test file uses a part of it")]

pub mod folder;
pub mod log;
#[cfg(feature = "render")]
pub mod render;

use bevy::ecs::component::ComponentId;
use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor, SystemKey};
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::{ChunkCoord, ChunkSettings, LodSettings, Morph, SeamReport, Viewer, seam_report};
use bevy_perlin_terrain::field::FieldSettings;
use bevy_perlin_terrain::noise::NoiseSettings;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{
    StandInTriangles, StreamSettings, TerrainOrigin, TerrainStandIn, TerrainStreamPlugin,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Frames after which a test gives up. A thousand times what any of them needs on a free machine: the frames are short, and
/// a busy machine may let a test run thousands of them before it gives a task a turn.
const MOST_FRAMES: usize = 20_000;

/// Adds a clock that each frame moves on by 1/60 s.
pub fn with_manual_clock(mut app: App) -> App {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
    app
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
    let terrain = TerrainMinimalPlugins.build().set(TerrainStreamPlugin { threads: false });
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), terrain));
    app
}

/// Lets the tests of a file run one at a time, while what is returned is held.
///
/// Task pools are those of the whole process: a thread that waits for systems of its own runs those of other tests meanwhile,
/// counts their allocations and hears their warnings.
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

/// Chunks of 8 x 8 quads and 32 x 32 m, quickly built, at full detail everywhere in view, and removed as soon as they are out
/// of view. Budgets of time and of bytes are so large that no machine reaches them: what happens in a frame depends on
/// counts alone.
pub fn small_settings() -> TerrainSettings {
    TerrainSettings {
        field: FieldSettings {
            seed: 5,
            base_height: 10.0,
            layers: vec![NoiseSettings { octaves: 3, frequency: 0.01, height_scale: 40.0, ..Default::default() }],
        },
        chunks: ChunkSettings { quads: 8, spacing: 4.0 },
        lod: LodSettings { pixel_error: 0.0, ..Default::default() },
        stream: StreamSettings {
            time_budget: 100.0,
            upload_budget: 1000.0,
            look_ahead: 0.0,
            keep_margin: 0.0,
            ..Default::default()
        },
        ..Default::default()
    }
}

/// The small settings, with levels of detail.
pub fn settings_with(stream: StreamSettings) -> TerrainSettings {
    TerrainSettings { lod: LodSettings { pixel_error: 4.0, ..Default::default() }, stream, ..small_settings() }
}

/// Spawns a terrain made from `settings`.
pub fn add_terrain(app: &mut App, settings: TerrainSettings) -> Entity {
    let handle = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(settings);
    app.world_mut().spawn(Terrain(handle)).id()
}

/// Spawns a viewer.
pub fn add_viewer(app: &mut App, x: f32, z: f32, view_distance: f32) -> Entity {
    app.world_mut().spawn((TerrainViewer { view_distance }, Transform::from_xyz(x, 0.0, z))).id()
}

/// Moves an entity to another place.
pub fn move_to(app: &mut App, entity: Entity, x: f32, z: f32) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).expect("it has a place");
    transform.translation = Vec3::new(x, transform.translation.y, z);
}

/// Changes the settings of a terrain as game code and the inspector do: in the asset.
pub fn edit(app: &mut App, terrain: Entity, change: impl FnOnce(&mut TerrainSettings)) {
    let handle = app.world().get::<Terrain>(terrain).expect("a terrain").0.clone();
    let mut assets = app.world_mut().resource_mut::<Assets<TerrainSettings>>();
    change(&mut assets.get_mut(&handle).expect("the settings are loaded"));
}

/// Runs frames until `condition` holds, at least one.
///
/// # Panics
///
/// When it does not within a very long time, with the numbers of the terrain.
pub fn pump_until(app: &mut App, what: &str, mut condition: impl FnMut(&mut App) -> bool) {
    for _ in 0..MOST_FRAMES {
        app.update();
        if condition(app) {
            return;
        }
        std::thread::yield_now();
    }
    let mut states = app.world_mut().query::<&TerrainState>();
    let problems: Vec<String> =
        states.iter(app.world()).flat_map(TerrainState::problems).map(ToString::to_string).collect();
    panic!(
        "`{what}` did not come true in {MOST_FRAMES} frames: {:?}, problems: {problems:?}",
        app.world().resource::<TerrainStats>()
    );
}

/// Runs a number of frames.
pub fn pump(app: &mut App, frames: usize) {
    for _ in 0..frames {
        app.update();
        std::thread::yield_now();
    }
}

/// What the terrain is doing.
pub fn state(app: &App, terrain: Entity) -> &TerrainState {
    app.world().get::<TerrainState>(terrain).expect("every terrain has a state")
}

/// What is wrong with the terrain's settings.
pub fn problems(app: &App, terrain: Entity) -> Vec<String> {
    state(app, terrain).problems().map(ToString::to_string).collect()
}

/// What in the terrain's settings will not look as it was meant.
pub fn warnings(app: &App, terrain: Entity) -> Vec<String> {
    state(app, terrain).warnings().map(str::to_owned).collect()
}

/// The numbers of all terrains.
pub fn stats(app: &App) -> TerrainStats {
    *app.world().resource::<TerrainStats>()
}

/// Runs frames until everything that is wanted is shown, and nothing else is going on.
pub fn settle(app: &mut App, terrain: Entity) {
    pump_until(app, "the terrain is settled", |app| state(app, terrain).is_settled());
}

/// The chunks of a terrain that are part of the world.
///
/// # Panics
///
/// When there are two of the same place, or one is no child of the terrain.
pub fn shown(app: &mut App, terrain: Entity) -> BTreeMap<ChunkCoord, Entity> {
    let mut shown = BTreeMap::new();
    let mut chunks = app.world_mut().query::<(Entity, &TerrainChunk, &ChildOf, &ChunkShown)>();
    let is_shown = |(_, chunk, _, shown): &(Entity, &TerrainChunk, &ChildOf, &ChunkShown)| {
        chunk.terrain == terrain && shown.is_shown()
    };
    for (entity, chunk, parent, _) in chunks.iter(app.world()).filter(is_shown) {
        assert_eq!(parent.parent(), terrain, "{chunk:?} is no child of its terrain");
        assert_eq!(shown.insert(chunk.coord, entity), None, "two of {chunk:?} are shown");
    }
    shown
}

/// The ground that stands in for chunks of a terrain.
pub struct StandInGround {
    bounds: ChunkBounds,
    /// Vertices along each side.
    side: u32,
    /// The north-west vertices of the quads that it has, where those are not all.
    quads: Option<BTreeSet<u32>>,
}

impl StandInGround {
    /// Whether it is the ground at a place.
    pub fn has(&self, x: f64, z: f64) -> bool {
        let ([min, size], quads) = ([self.bounds.min, self.bounds.size()], f64::from(self.side - 1));
        let [column, row] = [(x - min.x) / size.x, (z - min.z) / size.z].map(|part| (part * quads) as u32);
        let is_there = self.quads.as_ref().is_none_or(|quads| quads.contains(&(row * self.side + column)));
        self.bounds.contains(x, z) && is_there
    }

    /// Whether it is any of the ground within `bounds`.
    fn overlaps(&self, bounds: &ChunkBounds) -> bool {
        let quad = self.bounds.size() / f64::from(self.side - 1);
        let is_within = |&vertex: &u32| {
            let place = DVec3::new(f64::from(vertex % self.side) + 0.5, 0.0, f64::from(vertex / self.side) + 0.5);
            let middle = self.bounds.min + place * quad;
            bounds.contains(middle.x, middle.z)
        };
        match &self.quads {
            Some(quads) => quads.iter().any(is_within) || self.has(bounds.centre().x, bounds.centre().z),
            None => overlap(&self.bounds, bounds),
        }
    }
}

/// All that stands in for chunks of a terrain.
pub fn stand_ins(app: &mut App, terrain: Entity) -> Vec<StandInGround> {
    let mut stand_ins = app.world_mut().query::<(Entity, &TerrainStandIn)>();
    let of_terrain = stand_ins.iter(app.world()).filter(|(_, stand_in)| stand_in.terrain == terrain);
    let here: BTreeSet<Entity> = of_terrain.map(|(entity, _)| entity).collect();
    assert_eq!(here, state(app, terrain).stand_ins().collect());
    let ground = |entity: Entity| {
        let entity = app.world().entity(entity);
        assert!(entity.get::<ChunkShown>().is_some_and(ChunkShown::is_shown));
        assert!(entity.get::<ChildOf>().map(ChildOf::parent) == Some(terrain));
        let surface = &entity.get::<ChunkSurface>().expect("it has a surface").0;
        let quads = entity.get::<StandInTriangles>().map(|triangles| {
            // The first of two triangles of a quad.
            let firsts = triangles.0.chunks(3).filter(|it| it[1] == it[0] + surface.side && it[2] == it[0] + 1);
            firsts.map(|triangle| triangle[0]).collect()
        });
        let bounds = *entity.get::<ChunkBounds>().expect("it has bounds");
        StandInGround { bounds, side: surface.side, quads }
    };
    let here: Vec<StandInGround> = here.into_iter().map(ground).collect();
    for (number, one) in here.iter().enumerate() {
        assert!(here[..number].iter().all(|other| !overlap(&one.bounds, &other.bounds)), "stand-ins over each other");
    }
    here
}

/// Asserts that the chunks that are part of the world tile the ground around every viewer exactly once, that neighbours differ
/// by one level at most, and that each is drawn with the edges that its neighbours need. Who is not among the terrain's viewers
/// sees such chunks and what stands in for others, each place once. Chunks that were left behind lie elsewhere.
#[track_caller]
pub fn assert_tiled(app: &mut App, terrain: Entity) {
    let shown = shown(app, terrain);
    let stand_ins = stand_ins(app, terrain);
    let standing_in = |x: f64, z: f64| stand_ins.iter().filter(|stand_in| stand_in.has(x, z)).count();
    for (coord, &chunk) in &shown {
        let bounds = *app.world().get::<ChunkBounds>(chunk).expect("every chunk has bounds");
        assert!(stand_ins.iter().all(|ground| !ground.overlaps(&bounds)), "{coord:?} lies over a stand-in");
    }
    let mut viewers = app.world_mut().query::<(&TerrainViewer, &Transform)>();
    let viewers: Vec<(f64, DVec3)> = (viewers.iter(app.world()))
        .map(|(viewer, place)| (viewer.view_distance.into(), place.translation.as_dvec3()))
        .filter(|(view, place): &(f64, DVec3)| view.is_finite() && place.is_finite())
        .collect();
    let state = state(app, terrain);
    let Some(layout) = state.layout() else {
        assert!(shown.is_empty());
        return;
    };
    let over = |x: f64, z: f64| {
        let levels = 0..=shown.keys().map(|chunk| chunk.level).max().unwrap_or_default();
        levels.filter(|&level| shown.contains_key(&layout.chunk_at(level, x, z))).count()
    };
    assert!(!stand_ins.is_empty() || state.viewers().len() >= viewers.len(), "somebody sees nothing at all");
    // As long as the terrain stands at its own origin, not turned and not scaled, places are those of the world.
    let is_plain = app.world().get::<Transform>(terrain) == Some(&Transform::IDENTITY)
        && app.world().get::<ChildOf>(terrain).is_none()
        && app.world().get::<TerrainOrigin>(terrain) == Some(&TerrainOrigin::default());
    for (view, place) in viewers.into_iter().filter(|_| is_plain) {
        let is_here = |viewer: &Viewer| viewer.point.position == place.to_array();
        if stand_ins.is_empty() || state.viewers().iter().any(is_here) {
            continue;
        }
        for step in 0..40_u8 {
            let (distance, angle) = (0.999 * view * f64::from(step % 5 + 1) / 5.0, f64::from(step));
            let (x, z) = (place.x + distance * angle.cos(), place.z + distance * angle.sin());
            let grounds = over(x, z) + standing_in(x, z);
            assert_eq!(grounds, 1, "grounds at {x}, {z}, seen from {place}");
        }
    }
    let cover = state.cover();
    let left_behind: Vec<_> = shown.keys().filter(|&&coord| !cover.is_leaf(coord)).collect();
    assert_eq!(shown.len(), cover.leaves().len() + left_behind.len(), "not all chunks of the cover are shown");
    for &&coord in &left_behind {
        let over = |leaf: ChunkCoord| leaf.ancestor(coord.level) == coord || coord.ancestor(leaf.level) == leaf;
        assert!(!cover.leaves().iter().any(|&leaf| over(leaf)), "{coord:?} is shown, and others over its ground");
    }
    for (&coord, &entity) in shown.iter().filter(|(coord, _)| cover.is_leaf(**coord)) {
        assert_eq!(
            app.world().get::<ChunkStitchMask>(entity).map(|edges| edges.0),
            Some(cover.edges(coord)),
            "{coord:?}"
        );
        assert_eq!(cover.level_jumps(coord), [], "{coord:?} touches much coarser chunks");
    }
    // The leaves lie under different roots or in different parts of one, and together they are as large as the roots.
    let area = |chunks: &[ChunkCoord]| chunks.iter().map(|chunk| 4_u64.pow(chunk.level.into())).sum::<u64>();
    assert_eq!(area(cover.leaves()), area(cover.roots()));
    for viewer in state.viewers() {
        let [x, _, z] = viewer.point.position;
        assert_eq!(standing_in(x, z), 0);
        let ([x, z], reach) = (viewer.place(), viewer.point.view_distance);
        let [first, last] = [-reach, reach].map(|reach| layout.chunk_at(cover.top(), x + reach, z + reach));
        let roots = (first.z..=last.z).flat_map(|z| (first.x..=last.x).map(move |x| ChunkCoord { x, z, ..first }));
        for root in roots.filter(|&root| layout.distance(root, [x, z]) <= reach) {
            assert!(cover.contains(root), "{root:?} is in view and missing");
        }
        for step in 0..16 {
            let (x, z) = (x + reach * f64::from(step % 4 - 2) / 3.0, z + reach * f64::from(step / 4 - 2) / 3.0);
            assert_eq!(over(x, z), 1, "chunks over {x}, {z}");
        }
    }
}

/// Whether any ground is part of both.
fn overlap(one: &ChunkBounds, other: &ChunkBounds) -> bool {
    one.min.x < other.max.x && other.min.x < one.max.x && one.min.z < other.max.z && other.min.z < one.max.z
}

/// Asserts that the ground [is tiled](assert_tiled), without a seam. Returns what was found along the borders.
#[track_caller]
pub fn assert_seamless(app: &mut App, terrain: Entity) -> SeamReport {
    assert_tiled(app, terrain);
    let state = state(app, terrain);
    let (Some(field), Some(layout)) = (state.field(), state.layout()) else {
        return SeamReport::default();
    };
    let centre = state.viewers().first().map_or([0.0; 2], centre_near);
    let report = seam_report(field, layout, state.cover(), &Morph::new(state.viewers(), centre), centre);
    assert_eq!(report.seams, []);
    report
}

/// A round place near a viewer.
fn centre_near(viewer: &Viewer) -> [f64; 2] {
    viewer.place().map(f64::round)
}

/// Asserts that there are as many chunks of all terrains as viewers want, and none besides.
#[track_caller]
pub fn assert_nothing_left(app: &mut App) {
    let mut states = app.world_mut().query::<&TerrainState>();
    let wanted: usize = states.iter(app.world()).map(TerrainState::chunks_wanted).sum();
    assert_eq!(chunk_entities(app), wanted);
}

/// How many chunk entities there are, of all terrains, shown or not.
pub fn chunk_entities(app: &mut App) -> usize {
    app.world_mut().query::<&TerrainChunk>().iter(app.world()).count()
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

/// The pairs of systems in `schedule` that have no order although one writes what the other uses, where one of them is in
/// one of `sets`; all such pairs where there are no sets. The names need Bevy's `debug` feature.
pub fn ambiguities(app: &App, schedule: impl ScheduleLabel, sets: &[TerrainSystems]) -> Vec<String> {
    let schedules = app.world().resource::<Schedules>();
    let schedule = schedules.get(schedule).expect("the schedule is there");
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
