//! Coarse patches of ground, where viewers were put and too little is there yet.

use super::chunk_place::ChunkPlace;
use super::finish::{SurfaceFinish, with_builder};
use super::frame::TerrainPlaceItem;
use super::generation::Generation;
use super::{ChunkBounds, ChunkShown};
use crate::chunk::{GroundPatch, PatchNeighbours};
use bevy::prelude::*;

/// A coarse patch of ground that is shown where chunks are missing, as a viewer has just been put there: until tasks have built
/// the coarsest of them, for a frame or two; where others want detail of that ground, until that is there; and where the view of
/// another has become longer or shorter in these very frames, until it sees that.
///
/// One patch for all viewers that come at the same time; the further apart, the coarser. Only where its quads would be larger than
/// the coarsest chunks that others see between them, each party has its own.
///
/// A child of its terrain, with [`ChunkBounds`] and [`ChunkShown`] and a `Transform` like those of a chunk, and drawn like one.
/// Ground of which chunks are drawn is left out of it, and walls close the steps between those chunks and the patch: its triangles
/// are [`StandInTriangles`] then. Where a viewer stands in a valley that is too narrow for it, it is lowered to the ground. It is
/// no chunk: nothing is [told](super::messages) of it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct TerrainStandIn {
    /// The terrain that it is part of.
    pub terrain: Entity,
    /// The level of chunks whose vertices lie as far apart.
    pub level: u8,
}

/// The triangles of a [`TerrainStandIn`]'s [`ChunkSurface`](super::ChunkSurface), three indices each, where they are not
/// [those of a chunk](crate::chunk::triangle_indices) with as many vertices: chunks are drawn of some of its ground.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct StandInTriangles(pub Vec<u32>);

/// A patch that is to stand in for chunks.
pub(super) struct PatchToBuild<'a> {
    pub patch: &'a GroundPatch,
    pub neighbours: &'a PatchNeighbours,
    /// Where its viewers stand, in metres along x and z.
    pub places: &'a [[f64; 2]],
}

/// Builds a patch and puts it into the world. Returns its entity, and how many bytes a graphics card is sent.
pub(super) fn spawn_stand_in(
    commands: &mut Commands,
    terrain: Entity,
    place: &TerrainPlaceItem,
    generation: &Generation,
    PatchToBuild { patch, neighbours, places }: PatchToBuild<'_>,
    finish: &SurfaceFinish,
) -> (Entity, usize) {
    let (layout, borders) = (&generation.layout, |chunk| generation.borders(chunk));
    let surface =
        with_builder(|builder| builder.build_patch(&generation.field, layout, patch, neighbours, borders, places));
    let bounds = ChunkBounds::of_patch(layout, patch, surface.geometry.height_range);
    let bytes = surface.mesh_bytes();
    let mut stand_in = ChunkPlace::new(place, &bounds).spawn(
        commands,
        (
            Name::new(format!("Stand-in (level {})", patch.level)),
            TerrainStandIn { terrain, level: patch.level },
            ChunkShown(true),
            bounds,
            ChildOf(terrain),
        ),
    );
    finish.of(patch.level, surface).give_to(&mut stand_in);
    (stand_in.id(), bytes)
}
