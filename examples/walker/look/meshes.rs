//! The meshes of the walker and of all trees.

use bevy::prelude::*;

type Dress = (Mesh3d, MeshMaterial3d<StandardMaterial>);

/// The meshes and materials of a walker and a tree. All trees share one mesh, so they are drawn together.
#[derive(Resource)]
pub struct Meshes {
    pub walker: Dress,
    pub tree: Dress,
}

impl FromWorld for Meshes {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        let [walker, tree] = [walker(), tree()].map(|mesh| Mesh3d(meshes.add(mesh)));
        let mut materials = world.resource_mut::<Assets<StandardMaterial>>();
        // White: the colors of the vertices.
        let matte = MeshMaterial3d(materials.add(StandardMaterial { perceptual_roughness: 0.9, ..default() }));
        Self { walker: (walker, matte.clone()), tree: (tree, matte) }
    }
}

/// A capsule 1.8 m high, with a visor that shows where ahead is.
fn walker() -> Mesh {
    let mut walker = painted(Capsule3d::new(0.35, 1.1), Vec3::Y * 0.9, Color::srgb(0.75, 0.16, 0.12));
    let visor = painted(Cuboid::new(0.5, 0.16, 0.3), Vec3::new(0.0, 1.5, -0.25), Color::srgb(0.05, 0.06, 0.08));
    walker.merge(&visor).expect("both have the same attributes");
    walker
}

/// A trunk and three cones, 9 m high. The trunk begins below the ground, so that no gap shows on a slope.
fn tree() -> Mesh {
    let mut tree = painted(Cylinder::new(0.25, 3.0), Vec3::Y * 0.5, Color::srgb(0.30, 0.20, 0.13));
    for (radius, height, middle, green) in [(2.2, 3.6, 3.4, 0.26), (1.7, 3.2, 5.4, 0.30), (1.1, 2.8, 7.4, 0.34)] {
        let cone = painted(Cone { radius, height }, Vec3::Y * middle, Color::srgb(0.10, green, 0.13));
        tree.merge(&cone).expect("both have the same attributes");
    }
    tree
}

/// A shape around `middle`, with one color at all vertices.
fn painted(shape: impl Into<Mesh>, middle: Vec3, color: Color) -> Mesh {
    let mesh: Mesh = shape.into();
    let colors = vec![color.to_linear().to_f32_array(); mesh.count_vertices()];
    mesh.translated_by(middle).with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
}
