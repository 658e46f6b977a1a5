//! The surface of the water: a flat sheet over every chunk with ground below it.

use super::material::TerrainMaterials;
use super::shown_look::ShownLook;
use crate::stream::{ChunkBounds, ChunkStitchMask, TerrainStats, TerrainSystems, count_changes};
use bevy::camera::primitives::Aabb;
use bevy::ecs::world::CommandQueue;
use bevy::light::NotShadowCaster;
use bevy::mesh::MeshTag;
use bevy::prelude::*;

/// Marks the sheet of water over a chunk. It is a child of the chunk.
///
/// There is one sheet per chunk instead of one large plane. So the water is exactly where the ground is, around every viewer, and
/// precise at any distance from the origin.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct ChunkWater;

/// The mesh of all sheets: 1 m by 1 m, with three vertices along each side; see `water_vertex.wesl`. Each sheet scales it.
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
    terrains: Query<(Entity, &TerrainMaterials, Ref<ShownLook>)>,
    chunks: Query<(Entity, &ChildOf, Ref<Aabb>, &ChunkStitchMask, Option<&Children>), With<ChunkBounds>>,
    changed_chunks: Query<Entity, (With<ChunkBounds>, Changed<Aabb>)>,
    mut sheets: Query<(Entity, &mut Transform), With<ChunkWater>>,
    mesh: Res<WaterSheet>,
    mut stats: ResMut<TerrainStats>,
) {
    let mut queue = CommandQueue::default();
    let mut changes = commands.rebound_to(&mut queue);
    let mut fit = |entity: Entity, materials: &TerrainMaterials, look: &ShownLook| {
        let Ok((_, _, bounds, edges, children)) = chunks.get(entity) else {
            return;
        };
        let level = look.water_level().map(|level| level as f32).filter(|&level| bounds.min().y < level);
        let sheet = children.into_iter().flatten().copied().find(|&child| sheets.contains(child));
        match (sheet.map(|sheet| sheets.get_mut(sheet)), level) {
            (Some(Ok((_, mut transform))), Some(level)) => transform.translation.y = level,
            (Some(Ok((sheet, _))), None) => changes.entity(sheet).despawn(),
            (_, Some(level)) => {
                let size = bounds.max().x;
                changes.spawn((
                    ChunkWater,
                    Mesh3d(mesh.0.clone()),
                    tag(*edges),
                    MeshMaterial3d(materials.water.clone()),
                    Transform::from_xyz(size / 2.0, level, size / 2.0).with_scale(Vec3::new(size, 1.0, size)),
                    NotShadowCaster,
                    ChildOf(entity),
                ));
            }
            _ => {}
        }
    };
    stats.time(TerrainSystems::Render, |_| {
        for (terrain, materials, look) in &terrains {
            if look.is_changed() {
                for (entity, ..) in chunks.iter().filter(|(_, parent, ..)| parent.parent() == terrain) {
                    fit(entity, materials, &look);
                }
            }
        }
        for entity in &changed_chunks {
            let terrain = chunks.get(entity).map(|(_, parent, ..)| parent.parent());
            if let Ok((_, materials, look)) = terrain.and_then(|terrain| terrains.get(terrain))
                && !look.is_changed()
            {
                fit(entity, materials, &look);
            }
        }
    });
    count_changes(&mut commands, TerrainSystems::Render, queue);
}

/// The sides with a coarser neighbor, which has half as many vertices there.
fn tag(ChunkStitchMask(edges): ChunkStitchMask) -> MeshTag {
    MeshTag::new(edges.bits().into())
}

/// Updates the tags of sheets when a neighbor of their chunk gets coarser or finer.
pub(super) fn update_water_tags(
    chunks: Query<(&ChunkStitchMask, &Children), Changed<ChunkStitchMask>>,
    mut sheets: Query<&mut MeshTag, With<ChunkWater>>,
    mut stats: ResMut<TerrainStats>,
) {
    stats.time(TerrainSystems::Render, |_| {
        for (&edges, children) in &chunks {
            for &child in children {
                if let Ok(mut now) = sheets.get_mut(child) {
                    now.set_if_neq(tag(edges));
                }
            }
        }
    });
}
