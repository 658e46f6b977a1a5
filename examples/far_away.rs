//! Terrain in a `BigSpace`: a million kilometres from the origin, the ground is as smooth as at the origin.

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use big_space::prelude::*;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins.build().disable::<TransformPlugin>(), BigSpaceDefaultPlugins, TerrainPlugins))
        .add_systems(Startup, setup)
        .run();
}

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    // Cells of 2 km. With a whole number of metres, the corners of chunks are exact.
    commands.spawn_big_space(Grid::new(2000.0, 100.0), |root| {
        // `big_space` adds this component only with its feature `bevy_camera`.
        root.insert(Visibility::default());
        // The terrain becomes a grid too. Its chunks are in the cells of that grid.
        root.spawn_spatial(Terrain(assets.load("terrain/rolling_hills.terrain.ron")));
        let (cell, translation) = root.grid().translation_to_grid(DVec3::new(1e9, 400.0, -1e9));
        root.spawn_spatial((
            Camera3d::default(),
            Projection::from(PerspectiveProjection { far: 20_000.0, ..default() }),
            TerrainViewer { view_distance: 8000.0 },
            cell,
            Transform::from_translation(translation).looking_to(Vec3::new(1.0, -0.3, 1.0), Vec3::Y),
            FloatingOrigin,
        ));
    });
    commands.spawn((DirectionalLight::default(), Transform::default().looking_to(Vec3::new(1.0, -0.6, -0.4), Vec3::Y)));
}
