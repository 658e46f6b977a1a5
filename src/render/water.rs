//! The surface of the water: a flat sheet over every chunk with ground below it.

use super::material::TerrainMaterials;
use crate::stream::{ChunkBounds, TerrainStats, TerrainSystems, count_changes};
use bevy::camera::primitives::Aabb;
use bevy::ecs::world::CommandQueue;
use bevy::light::NotShadowCaster;
use bevy::prelude::*;

/// Marks the sheet of water over a chunk. It is a child of the chunk.
///
/// There is one sheet per chunk instead of one large plane. So the water is exactly where the ground is, around every viewer, and
/// precise at any distance from the origin.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkWater;

/// The mesh of all sheets: 1 m by 1 m, which each sheet scales. A sheet has three vertices along each side, so that it shares all those of
/// neighbors that are half as wide.
#[derive(Resource)]
pub(super) struct WaterSheet(Handle<Mesh>);

impl FromWorld for WaterSheet {
    fn from_world(world: &mut World) -> Self {
        Self(world.resource_mut::<Assets<Mesh>>().add(Plane3d::new(Vec3::Y, Vec2::splat(0.5)).mesh().subdivisions(1)))
    }
}

/// Adds, moves and removes sheets of chunks that are new or edited, and of all chunks of a terrain whose look changed.
pub(super) fn update_water(
    mut commands: Commands,
    terrains: Query<(Entity, Ref<TerrainMaterials>)>,
    chunks: Query<(Entity, &ChildOf, Ref<Aabb>, Option<&Children>), With<ChunkBounds>>,
    changed_chunks: Query<Entity, (With<ChunkBounds>, Changed<Aabb>)>,
    mut sheets: Query<(Entity, &mut Transform), With<ChunkWater>>,
    mesh: Res<WaterSheet>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut queue = CommandQueue::default();
    let mut changes = commands.rebound_to(&mut queue);
    let mut fit = |entity: Entity, materials: &TerrainMaterials| {
        let Ok((_, _, bounds, children)) = chunks.get(entity) else {
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
                    Mesh3d(mesh.0.clone()),
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
        for entity in &changed_chunks {
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
