//! Click on the ground: a ring shows where the pointer is, a click plants a tree, a right click removes the nearest one.
//!
//! Controls: W A S D E Q fly, Shift is fast. Hold the middle mouse button to look around.
//!
//! Look at: the ring lies on the triangles that are drawn, near and far. The trees stand on the level-0 triangles, which are
//! drawn near them, so they still stand on the ground when you fly there.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::picking::hover::HoverMap;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, FreeCameraPlugin, TerrainPlugins, game))
        .add_systems(Startup, setup)
        .add_systems(Update, draw_ring)
        .add_observer(draw_tree)
        .run();
}

/// The game, without a window.
fn game(app: &mut App) {
    app.add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
        let terrain = Terrain(assets.load("terrain/rolling_hills.terrain.ron"));
        commands.spawn(terrain).observe(plant).observe(remove);
    });
}

#[derive(Component)]
struct Tree;

/// Farther from a click than this, in metres, a tree is not meant.
const REACH: f32 = 20.0;

fn plant(click: On<PointerClick>, ground: TerrainGround, mut commands: Commands) {
    let is_left = click.button == PointerButton::Primary;
    // The drawn ground may be coarse there. Its finest triangles don't depend on the viewer.
    let point = click.hit.position.and_then(|position| ground.point(position));
    if let Some(ground) = point.filter(|_| is_left) {
        commands.spawn((Tree, Transform::from_translation(ground.position)));
    }
}

fn remove(click: On<PointerClick>, trees: Query<(Entity, &Transform), With<Tree>>, mut commands: Commands) {
    let Some(position) = click.hit.position.filter(|_| click.button == PointerButton::Secondary) else { return };
    let near = trees.iter().map(|(tree, at)| (tree, at.translation.distance(position))).filter(|(_, far)| *far < REACH);
    if let Some((tree, _)) = near.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        commands.entity(tree).despawn();
    }
}

/// Draws a ring around the position under the pointer, flat on the triangle. It is as large on the screen anywhere.
fn draw_ring(hovers: Res<HoverMap>, terrains: Query<(), With<Terrain>>, mut gizmos: Gizmos) {
    for (&target, hit) in hovers.values().flatten() {
        if let (true, Some(position), Some(normal)) = (terrains.contains(target), hit.position, hit.normal) {
            let turn = Quat::from_rotation_arc(Vec3::Z, normal);
            let ring = Isometry3d::new(position + 0.002 * hit.depth * normal, turn);
            gizmos.circle(ring, 0.02 * hit.depth, Color::srgb(1.0, 0.8, 0.2));
        }
    }
}

fn draw_tree(
    tree: On<Add<Tree>>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut part = |mesh: Mesh, color: Color, height: f32| {
        // Only the ground is clicked.
        let part = (Mesh3d(meshes.add(mesh)), MeshMaterial3d(materials.add(color)), Pickable::IGNORE);
        (part, Transform::from_xyz(0.0, height, 0.0))
    };
    let trunk = part(Cylinder::new(0.4, 4.0).into(), Color::srgb(0.3, 0.2, 0.1), 1.5);
    let crown = part(Cone::new(2.5, 8.0).into(), Color::srgb(0.1, 0.3, 0.1), 7.0);
    commands.entity(tree.entity).insert((Visibility::default(), children![trunk, crown]));
}

fn setup(mut commands: Commands) {
    commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { far: 20_000.0, ..default() }),
        TerrainViewer::default(),
        FreeCamera { mouse_key_cursor_grab: MouseButton::Middle, walk_speed: 50.0, run_speed: 500.0, ..default() },
        Transform::from_xyz(0.0, 400.0, 0.0).looking_to(Vec3::new(1.0, -0.4, 1.0), Vec3::Y),
    ));
    for (direction, illuminance) in [(Vec3::new(1.0, -0.5, -0.8), 10_000.0), (Vec3::new(-1.0, -0.5, 0.8), 2000.0)] {
        let light = DirectionalLight { illuminance, ..default() };
        commands.spawn((light, Transform::default().looking_to(direction, Vec3::Y)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::camera::NormalizedRenderTarget;
    use bevy::ecs::system::RunSystemOnce;
    use bevy::picking::PickingSystems;
    use bevy::picking::backend::ray::{RayId, RayMap};
    use bevy::picking::pointer::{Location, PointerAction, PointerId, PointerInput};
    use bevy_perlin_terrain::ground::TerrainPickingPlugin;
    use testing::app::{finish, headless_app, pump_until};

    /// The pointer points straight down here, from a camera that draws nothing.
    #[derive(Resource)]
    struct Pointing(Entity, Vec2);

    fn point(pointing: Res<Pointing>, mut rays: ResMut<RayMap>) {
        let Pointing(camera, Vec2 { x, y: z }) = *pointing;
        rays.map.insert(RayId::new(camera, PointerId::Mouse), Ray3d::new(Vec3::new(x, 5000.0, z), Dir3::NEG_Y));
    }

    /// The game without a window, as soon as its ground is drawn.
    fn game_with_ground() -> App {
        let mut app = headless_app();
        app.add_plugins((PickingPlugin, InteractionPlugin, TerrainPickingPlugin, game))
            .add_systems(PreUpdate, point.after(PickingSystems::ProcessInput).before(PickingSystems::Backend));
        finish(&mut app);
        let camera = app.world_mut().spawn((Camera::default(), TerrainViewer { view_distance: 300.0 })).id();
        app.world_mut().spawn(PointerId::Mouse);
        app.insert_resource(Pointing(camera, Vec2::ZERO));
        pump_until(&mut app, "the ground is ready", |app| {
            let mut states = app.world_mut().query::<&TerrainState>();
            states.single(app.world()).is_ok_and(TerrainState::is_settled)
        });
        app
    }

    fn click(app: &mut App, button: PointerButton, position: Vec2) {
        app.world_mut().resource_mut::<Pointing>().1 = position;
        let target = NormalizedRenderTarget::None { width: 1, height: 1 };
        for action in [PointerAction::Press(button), PointerAction::Release(button)] {
            app.update();
            let location = Location { target: target.clone(), position: Vec2::ZERO };
            app.world_mut().write_message(PointerInput::new(PointerId::Mouse, location, action));
        }
        app.update();
    }

    fn trees(app: &mut App) -> Vec<Vec3> {
        app.world_mut().query_filtered::<&Transform, With<Tree>>().iter(app.world()).map(|at| at.translation).collect()
    }

    #[test]
    fn a_click_plants_a_tree_on_the_ground_and_a_right_click_removes_it() {
        let mut app = game_with_ground();
        let positions = [Vec2::new(30.0, -12.5), Vec2::new(-70.0, 41.0)];
        for position in positions {
            click(&mut app, PointerButton::Primary, position);
        }
        let planted = trees(&mut app);
        assert_eq!(planted.iter().map(|tree| Vec2::new(tree.x, tree.z)).collect::<Vec<_>>(), positions);
        let is_on_ground = move |ground: TerrainGround| {
            assert!(planted.iter().all(|&tree| ground.height(tree) == Some(tree.y)), "{planted:?}");
        };
        app.world_mut().run_system_once(is_on_ground).expect("it runs");
        // Too far from both.
        click(&mut app, PointerButton::Secondary, Vec2::ZERO);
        assert_eq!(trees(&mut app).len(), 2);
        click(&mut app, PointerButton::Secondary, positions[0] + 3.0);
        assert_eq!(trees(&mut app).iter().map(|tree| Vec2::new(tree.x, tree.z)).collect::<Vec<_>>(), positions[1..]);
    }

    #[test]
    fn the_position_under_the_pointer_is_known_before_a_click() {
        let mut app = game_with_ground();
        app.world_mut().resource_mut::<Pointing>().1 = Vec2::new(15.0, 20.0);
        app.update();
        let hovers = app.world().resource::<HoverMap>();
        let (&target, hit) = hovers.values().flatten().next().expect("the ground is hovered");
        assert!(app.world().get::<Terrain>(target).is_some());
        let (position, normal) = (hit.position.expect("a position"), hit.normal.expect("a normal"));
        assert!((position.x, position.z) == (15.0, 20.0) && normal.y > 0.5, "{position}, {normal}");
    }
}
