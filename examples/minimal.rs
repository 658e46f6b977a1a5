//! The smallest app that shows terrain: a settings file, a viewer and two lights.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

fn main() {
    App::new().add_plugins((DefaultPlugins, TerrainPlugins)).add_systems(Startup, setup).run();
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
    commands.spawn((
        Camera3d::default(),
        Projection::from(PerspectiveProjection { far: 20_000.0, ..default() }),
        TerrainViewer { view_distance: 8000.0 },
        Transform::from_xyz(0.0, 400.0, 0.0).looking_to(Vec3::new(1.0, -0.3, 1.0), Vec3::Y),
    ));
    // The sun, and a weak light from the other side, so that slopes in the shade have a shape too.
    for (direction, illuminance) in [(Vec3::new(1.0, -0.5, -0.8), 10_000.0), (Vec3::new(-1.0, -0.5, 0.8), 2000.0)] {
        let light = DirectionalLight { illuminance, ..default() };
        commands.spawn((light, Transform::default().looking_to(direction, Vec3::Y)));
    }
}
