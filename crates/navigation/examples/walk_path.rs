//! An agent that finds a path over the Alps and walks along it, without a window.
//!
//! It stays on ground that is not steeper than 30 degrees, for 900 m and over the borders of chunks. The example runs as fast as it
//! can, prints how far the agent walked, and ends.
//!
//! Look at:
//!
//! - `request_mesh`: waits for the ground, and asks for a navigation mesh of a box. `bevy_rerecast` builds it in a task.
//! - `walk`: `bevy_landmass` finds the path on the mesh and says where to go; the feet are on the terrain's triangles.

use bevy::app::{Plugins, ScheduleRunnerPlugin};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_landmass::PointSampleDistance3d;
use bevy_landmass::prelude::{
    Agent3dBundle, AgentDesiredVelocity3d, AgentSettings, AgentState, AgentTarget3d, Archipelago3d, ArchipelagoOptions,
    ArchipelagoRef3d, FromAgentRadius, Island, Landmass3dPlugin, ThreeD,
};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain_navigation::{TerrainNavmeshPlugin, ground_box};
use bevy_rerecast::NavmeshPlugins;
use bevy_rerecast::prelude::*;
use landmass_rerecast::{Island3dBundle, LandmassRerecastPlugin, NavMeshHandle3d};
use std::time::Duration;

const START: Vec3 = Vec3::new(360.0, 0.0, 376.0);
const GOAL: Vec3 = Vec3::new(592.0, 0.0, 944.0);
/// The ground around both that the agent may use, in metres.
const MARGIN: f32 = 50.0;
/// Metres.
const RADIUS: f32 = 1.0;
/// Metres per second.
const SPEED: f32 = 4.0;
/// Degrees.
const STEEPEST: f32 = 30.0;

/// Metres along the ground.
#[derive(Component, Default)]
struct Walked(f32);

fn main() {
    let tick = ScheduleRunnerPlugin::run_loop(Duration::from_millis(1));
    game(MinimalPlugins.set(tick)).add_systems(Update, report).run();
}

/// The game, with the plugins that run it.
fn game<M>(run: impl Plugins<M>) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets").into(), ..default() };
    app.add_plugins((run, TransformPlugin, assets, TerrainMinimalPlugins))
        .add_plugins((NavmeshPlugins::default(), TerrainNavmeshPlugin))
        .add_plugins((Landmass3dPlugin::default(), LandmassRerecastPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60))
        .add_systems(Startup, setup)
        .add_systems(Update, request_mesh)
        .add_systems(FixedUpdate, walk);
    app
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/alps.terrain.ron")));
}

fn request_mesh(
    terrain: Single<Entity, With<Terrain>>,
    ground: TerrainGround,
    archipelagos: Query<(), With<Archipelago3d>>,
    mut generator: NavmeshGenerator,
    mut commands: Commands,
) {
    if !archipelagos.is_empty() {
        return;
    }
    let margin = Vec3::new(MARGIN, 0.0, MARGIN);
    // An error before the settings are loaded: the system runs again in the next frame.
    let Ok(Some(area)) = ground_box(&ground, *terrain, [START - margin, GOAL + margin]) else { return };
    let [Some(start), Some(goal)] = [START, GOAL].map(|at| ground.point(at)) else { return };
    let mesh = generator.generate(NavmeshSettings {
        aabb: Some(area),
        walkable_slope_angle: STEEPEST.to_radians(),
        ..NavmeshSettings::from_agent_3d(RADIUS, 1.8)
    });
    let archipelago = commands.spawn(Archipelago3d::new(options())).id();
    let archipelago_ref = || ArchipelagoRef3d::new(archipelago);
    // Landmass needs the transform; an origin shift moves it.
    let island = Island3dBundle { island: Island, archipelago_ref: archipelago_ref(), nav_mesh: NavMeshHandle3d(mesh) };
    commands.spawn((island, Transform::default()));
    let settings = AgentSettings { radius: RADIUS, desired_speed: SPEED, max_speed: SPEED };
    let agent = Agent3dBundle { agent: default(), settings, archipelago_ref: archipelago_ref() };
    let target = AgentTarget3d::Point(goal.position);
    commands.spawn((agent, target, Walked::default(), Transform::from_translation(start.position)));
}

/// How far the feet may be above or below the mesh: it has fewer triangles than the ground.
fn options() -> ArchipelagoOptions<ThreeD> {
    let distance = FromAgentRadius::from_agent_radius(RADIUS);
    ArchipelagoOptions {
        point_sample_distance: PointSampleDistance3d { distance_above: 2.0, distance_below: 2.0, ..distance },
        ..FromAgentRadius::from_agent_radius(RADIUS)
    }
}

fn walk(
    mut agents: Query<(&mut Transform, &mut Walked, &AgentDesiredVelocity3d)>,
    ground: TerrainGround,
    time: Res<Time>,
) {
    for (mut transform, mut walked, desired) in &mut agents {
        let next = transform.translation + desired.velocity() * time.delta_secs();
        if let Some(next) = ground.point(next) {
            walked.0 += transform.translation.distance(next.position);
            transform.translation = next.position;
        }
    }
}

fn report(
    agents: Query<(&Walked, &Transform, &AgentState)>,
    time: Res<Time>,
    mut last: Local<AgentState>,
    mut exit: MessageWriter<AppExit>,
) {
    let Ok((walked, transform, &state)) = agents.single() else { return };
    // Landmass writes the state in every tick.
    if std::mem::replace(&mut *last, state) == state {
        return;
    }
    println!("{:.0} s: {state:?} at {:.0} after {:.0} m", time.elapsed_secs(), transform.translation, walked.0);
    if matches!(state, AgentState::ReachedTarget | AgentState::NoPath | AgentState::TargetNotOnNavMesh) {
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use testing::app::finish;

    /// The height of the mesh above an agent, the slope in degrees under it, and its chunk.
    fn look(
        agent: Query<&Transform, With<Walked>>,
        archipelago: Query<&Archipelago3d>,
        ground: TerrainGround,
        terrain: Query<&TerrainState>,
    ) -> Option<(f32, f32, ChunkCoord)> {
        let at = agent.single().ok()?.translation;
        let within = options().point_sample_distance;
        let height = archipelago.single().ok()?.sample_point(at, &within).ok()?.point().y - at.y;
        let chunk = terrain.single().ok()?.layout()?.chunk_at(0, at.x.into(), at.z.into());
        Some((height, ground.slope(at)?.to_degrees(), chunk))
    }

    #[test]
    fn the_agent_walks_across_borders_of_chunks_on_ground_that_is_not_too_steep() {
        let mut app = game(MinimalPlugins);
        finish(&mut app);
        let (mut chunks, mut steepest, mut farthest) = (BTreeSet::new(), 0_f32, 0_f32);
        let mut walking = 0;
        for _ in 0..300_000 {
            app.update();
            let mut agents = app.world_mut().query::<(&AgentState, &Transform, &Walked)>();
            let agent =
                agents.single(app.world()).map(|(state, transform, walked)| (*state, transform.translation, walked.0));
            match agent {
                Ok((AgentState::ReachedTarget, position, walked)) => {
                    println!("{walked} m, {steepest} degrees, {farthest} m from the mesh, {chunks:?}");
                    assert!(position.xz().distance(GOAL.xz()) < 2.0 * RADIUS, "it ended at {position}");
                    assert!(walked > START.distance(GOAL), "{walked} m");
                    break;
                }
                Ok((AgentState::Moving, ..)) => walking += 1,
                Ok((AgentState::NoPath | AgentState::TargetNotOnNavMesh, ..)) => panic!("there is no path"),
                // The terrain loads, or the task builds the mesh.
                _ => {
                    assert_eq!(walking, 0, "it left the mesh: {agent:?}");
                    let mut states = app.world_mut().query::<&TerrainState>();
                    let mut problems = states.iter(app.world()).flat_map(TerrainState::problems);
                    assert_eq!(problems.next().map(ToString::to_string), None, "the terrain has problems");
                    std::thread::yield_now();
                    continue;
                }
            }
            assert!(walking < 20_000, "it does not arrive");
            let seen = app.world_mut().run_system_cached(look).expect("it runs");
            let (height, slope, chunk) = seen.expect("the agent is on the mesh");
            (steepest, farthest) = (steepest.max(slope), farthest.max(height.abs()));
            chunks.insert((chunk.x, chunk.z));
        }
        assert!(walking > 0, "there is no mesh");
        assert!(chunks.len() >= 3, "{chunks:?}");
        assert!(steepest <= STEEPEST, "{steepest} degrees");
        assert!(farthest < 1.0, "{farthest} m between the mesh and the ground");
        // The straight way is too steep.
        let slopes = |ground: TerrainGround| {
            (0..=1000_u16)
                .filter_map(|step| ground.slope(START.lerp(GOAL, f32::from(step) / 1000.0)))
                .fold(0.0, f32::max)
        };
        let straight = app.world_mut().run_system_cached(slopes).expect("it runs").to_degrees();
        assert!(straight > STEEPEST + 5.0, "{straight} degrees");
    }
}
