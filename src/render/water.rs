//! The sea: a flat sheet over every chunk that reaches below it.

use super::material::TerrainMaterials;
use crate::stream::{ChunkBounds, TerrainStats, TerrainSystems, count_changes};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::ecs::world::CommandQueue;
use bevy::light::NotShadowCaster;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

/// The sheet of water over a chunk, a child of the chunk.
///
/// One sheet per chunk, rather than one large plane, keeps the sea exactly where the ground is: around every viewer, at any
/// distance from the origin, and in the right order with other transparent things.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkWater;

/// A sheet of one by one metre, which every chunk's sheet is a scaled copy of.
#[derive(Resource)]
pub(super) struct WaterSheet(Handle<Mesh>);

impl FromWorld for WaterSheet {
    fn from_world(world: &mut World) -> Self {
        Self(world.resource_mut::<Assets<Mesh>>().add(Plane3d::new(Vec3::Y, Vec2::splat(0.5))))
    }
}

/// The sheet of what stands in for chunks, where it is not over all of its ground: the chunks that are drawn of the rest have
/// sheets of their own.
#[derive(Component)]
pub(super) struct OwnSheet(pub Handle<Mesh>);

/// A sheet over those quads of a patch that `triangles` has, scaled as that of a chunk: the whole patch, with `side` vertices
/// along each side, takes one by one metre.
pub(super) fn sheet_over(side: u32, triangles: &[u32]) -> Mesh {
    let (quads, mut positions, mut indices) = (side.saturating_sub(1), Vec::new(), Vec::new());
    let place = |vertices: u32| vertices as f32 / quads as f32 - 0.5;
    // The first of the two triangles of a quad begins in the north-west.
    let firsts = triangles.as_chunks::<3>().0.iter().filter(|it| it[1] == it[0] + side && it[2] == it[0] + 1);
    let mut corners = firsts.map(|triangle| triangle[0]).peekable();
    while let Some(corner) = corners.next() {
        // As far as the row goes without a gap; one that follows the last quad of a row begins another.
        let mut last = corner;
        while corners.next_if_eq(&(last + 1)).is_some() {
            last += 1;
        }
        let ([west, east], north) = ([corner % side, last % side + 1].map(place), corner / side);
        let first = positions.len() as u32;
        let [north, south] = [north, north + 1].map(place);
        positions.extend([[west, 0.0, north], [east, 0.0, north], [west, 0.0, south], [east, 0.0, south]]);
        indices.extend([0, 2, 1, 1, 2, 3].map(|corner: u32| first + corner));
    }
    let corners = positions.len();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; corners])
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0, 0.0]; corners])
        .with_inserted_indices(Indices::U32(indices))
}

/// Adds, moves and removes sheets: over new chunks, and over every chunk of a terrain whose look changed.
pub(super) fn fit_water(
    mut commands: Commands,
    terrains: Query<(Entity, Ref<TerrainMaterials>)>,
    chunks: Query<(Entity, &ChildOf, Ref<Aabb>, Option<&Children>, Option<&OwnSheet>), With<ChunkBounds>>,
    new_chunks: Query<Entity, (With<ChunkBounds>, Added<Aabb>)>,
    mut sheets: Query<(Entity, &mut Transform), With<ChunkWater>>,
    mesh: Res<WaterSheet>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut queue = CommandQueue::default();
    let mut changes = commands.rebound_to(&mut queue);
    let mut fit = |entity: Entity, materials: &TerrainMaterials| {
        let Ok((_, _, bounds, children, own)) = chunks.get(entity) else {
            return;
        };
        let height = materials.look.water_height as f32;
        let wet = materials.look.water && bounds.min().y < height;
        let sheet = children.into_iter().flatten().copied().find(|&child| sheets.contains(child));
        match sheet.map(|sheet| sheets.get_mut(sheet)) {
            Some(Ok((_, mut transform))) if wet => transform.translation.y = height,
            Some(Ok((sheet, _))) => changes.entity(sheet).despawn(),
            _ if wet => {
                let size = bounds.max().x;
                changes.spawn((
                    ChunkWater,
                    Mesh3d(own.map_or(&mesh.0, |own| &own.0).clone()),
                    MeshMaterial3d(materials.water.clone()),
                    Transform::from_xyz(size / 2.0, height, size / 2.0).with_scale(Vec3::new(size, 1.0, size)),
                    NotShadowCaster,
                    ChildOf(entity),
                ));
            }
            _ => {}
        }
    };
    stats.time(TerrainSystems::Render, |_| {
        for (terrain, materials) in &terrains {
            if materials.is_changed() {
                for (entity, ..) in chunks.iter().filter(|(_, parent, ..)| parent.parent() == terrain) {
                    fit(entity, &materials);
                }
            }
        }
        for entity in &new_chunks {
            let terrain = chunks.get(entity).map(|(_, parent, ..)| parent.parent());
            if let Ok((_, materials)) = terrain.and_then(|terrain| terrains.get(terrain))
                && !materials.is_changed()
            {
                fit(entity, &materials);
            }
        }
    });
    count_changes(&mut commands, TerrainSystems::Render, queue);
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::mesh::VertexAttributeValues::Float32x3;

    #[test]
    fn a_sheet_lies_over_the_quads_that_are_there() {
        // Of three by three quads, without the one in the middle and the last: a wall besides.
        let quad = |corner: u32| [corner, corner + 4, corner + 1, corner + 1, corner + 4, corner + 5];
        let mut triangles: Vec<u32> = [0, 1, 2, 4, 6, 8, 9].into_iter().flat_map(quad).collect();
        triangles.extend([16, 18, 17, 17, 18, 19]);
        let mesh = sheet_over(4, &triangles);
        let Some(Float32x3(positions)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!("no positions") };
        let spans: Vec<[i32; 4]> = positions
            .chunks(4)
            .map(|corners| [corners[0][0], corners[0][2], corners[3][0], corners[3][2]])
            .map(|span| span.map(|place| ((place + 0.5) * 3.0).round() as i32))
            .collect();
        assert_eq!(spans, [[0, 0, 3, 1], [0, 1, 1, 2], [2, 1, 3, 2], [0, 2, 2, 3]]);
        assert_eq!(mesh.indices().map(Indices::len), Some(6 * spans.len()));
    }
}
