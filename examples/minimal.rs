//! The smallest app that shows terrain: a settings file, and a viewer with a sky.

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
        // Sun, sky, clouds and haze.
        TerrainSky::default(),
        Transform::from_xyz(0.0, 400.0, 0.0).looking_to(Vec3::new(1.0, -0.3, 1.0), Vec3::Y),
    ));
}
