//! Terrain in a `BigSpace`: a million kilometres from the origin it is as smooth as beside it.

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
    // Cells of 2 km. A whole number of metres keeps the corners of chunks exact.
    commands.spawn_big_space(Grid::new(2000.0, 100.0), |root| {
        // `big_space` itself adds this where its feature `bevy_camera` is on.
        root.insert(Visibility::default());
        // Becomes a grid too, with the chunks in its cells.
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
