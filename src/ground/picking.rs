//! The ground as a target of pointers: a backend for `bevy_picking`.

use super::HeightTile;
use super::drawn::DrawnTerrain;
use super::terrain_ground::WorldRay;
use crate::chunk::{ChunkCoord, ChunkHeights, ChunkLayout};
use crate::stream::{ColliderTile, SurfaceFinish, Terrain, TerrainChunk, TerrainPosition, TerrainState};
use bevy::camera::Camera;
use bevy::camera::visibility::{InheritedVisibility, RenderLayers};
use bevy::math::DVec3;
use bevy::picking::backend::ray::RayMap;
use bevy::picking::backend::{HitData, PointerHits};
use bevy::picking::{Pickable, PickingPlugin, PickingSystems};
use bevy::prelude::*;

/// Lets pointers hover and click the ground: a backend for Bevy's picking, in [`TerrainPlugins`](crate::TerrainPlugins).
///
/// Does nothing in an app without Bevy's `PickingPlugin`. `DefaultPlugins` has it with this crate's feature `picking`.
///
/// - The target is the [`Terrain`], not a chunk, so a change of level sends no `Out` and no `Over`. Observe `Pointer` events on
///   it. [`HitData`] has the position and the unit normal of the triangle in world coordinates, and a [`TerrainPick`] as its extra
///   data.
/// - A pointer hits what is drawn now: the triangles of the drawn chunks, at their level and with their morph. It hits them from
///   above only, as they are drawn. A chunk must share a [`RenderLayers`] with the camera, and the terrain must not be hidden.
/// - As with all targets, a [`Pickable`] on the terrain decides whether it is hovered, and whether it blocks what is behind it.
/// - Chunks keep their heights in main memory for this: 23 kB for 64 by 64 quads. A pointer never computes any.
/// - Chunks and [`ColliderTile`]s are [`Pickable::IGNORE`], so that a backend for meshes or for colliders does not hit the same
///   ground twice.
/// - The ground is that of the material of the crate: `TerrainRenderPlugin::plain_meshes`, and more than 16 viewers, draw it without
///   a morph, up to some pixels away.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_perlin_terrain::prelude::*;
///
/// fn report(click: On<PointerClick>) {
///     if let (Some(position), Some(pick)) = (click.hit.position, click.hit.extra_as::<TerrainPick>()) {
///         info!("a click on {}, in the chunk {:?}", position, pick.chunk);
///     }
/// }
///
/// fn setup(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(Terrain(assets.load("terrain/alps.terrain.ron"))).observe(report);
/// }
/// # fn plugin(app: &mut App) {
/// #     app.add_systems(Startup, setup);
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainPickingPlugin;

impl Plugin for TerrainPickingPlugin {
    fn build(&self, _: &mut App) {}

    /// Other plugins are built by now, in any order.
    fn finish(&self, app: &mut App) {
        let Some(finish) = app.world().get_resource::<SurfaceFinish>().cloned() else { return };
        if !app.is_plugin_added::<PickingPlugin>() {
            return;
        }
        // An error means that the game has its own rule for them. That one stays.
        let _ = app.try_register_required_components_with::<TerrainChunk, Pickable>(|| Pickable::IGNORE);
        let _ = app.try_register_required_components_with::<ColliderTile, Pickable>(|| Pickable::IGNORE);
        app.insert_resource(finish.with(PickHeights::new))
            .add_systems(PreUpdate, pick_terrains.in_set(PickingSystems::Backend));
    }
}

/// Where a pointer is on the ground: the extra data of a hit with a [`Terrain`]. See [`HitData::extra_as`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TerrainPick {
    /// The drawn chunk, with its level.
    pub chunk: ChunkCoord,
    /// The position in the terrain's own coordinates, in metres.
    pub terrain_position: DVec3,
}

/// The heights of a chunk's own surface.
#[derive(Component)]
struct PickHeights(HeightTile);

impl PickHeights {
    fn new(layout: &ChunkLayout, coord: ChunkCoord, chunk: &ChunkHeights) -> Self {
        let heights = chunk.rows().flatten().copied().collect();
        Self(HeightTile::of_heights(&layout.grid(coord, 0), heights))
    }
}

/// Reports the terrains under each pointer.
fn pick_terrains(
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Option<&RenderLayers>)>,
    terrains: Query<
        (Entity, &TerrainState, TerrainPosition, Option<&InheritedVisibility>, Option<&Pickable>),
        With<Terrain>,
    >,
    chunks: Query<(&PickHeights, Option<&RenderLayers>)>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, &ray) in rays.iter() {
        let Ok((camera, layers)) = cameras.get(id.camera) else { continue };
        let layers = layers.unwrap_or_default();
        let mut picks = vec![];
        for (terrain, state, position, visibility, pickable) in &terrains {
            let is_visible = visibility.is_none_or(|visibility| visibility.get());
            let (Some(drawn), Some(field)) = (DrawnTerrain::of(state), state.field()) else { continue };
            let frame = position.frame();
            if !is_visible || !frame.is_invertible() || pickable.is_some_and(|pickable| *pickable == Pickable::IGNORE) {
                continue;
            }
            let tile = |chunk: ChunkCoord| {
                let (heights, own) = chunks.get(state.chunk(chunk)?).ok()?;
                layers.intersects(own.unwrap_or_default()).then_some(&heights.0)
            };
            let mut chunk = None;
            let hit = WorldRay::new(ray, &frame).hit(terrain, |origin, direction, _| {
                let (line, crossing, coord) = drawn.first_hit([origin, direction], field.bounds(), tile)?;
                chunk = Some(coord);
                Some(crossing.of(&line))
            });
            if let (Some(hit), Some(chunk)) = (hit, chunk) {
                let pick = TerrainPick { chunk, terrain_position: hit.terrain_position };
                let (position, normal) = (Some(hit.position), Some(hit.normal));
                let data = HitData::new_with_extra(id.camera, hit.distance, position, normal, pick);
                picks.push((terrain, data));
            }
        }
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}
