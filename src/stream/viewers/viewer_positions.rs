//! Positions of viewers in the coordinates of a terrain.

use crate::stream::position::{TerrainOrigin, TerrainPosition};
use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::{Grid, cell::CellCoord};

/// Computes positions in the coordinates of a terrain, in `f64`, from the transforms of this frame.
///
/// It combines the transforms of the entity and of the terrain only up to their nearest common ancestor. Large offsets, the cells
/// of a `BigSpace` and [`TerrainOrigin`](crate::stream::TerrainOrigin)s, are integers or `f64`. So a position is as precise a
/// million kilometres from the origin as near it.
#[derive(SystemParam)]
pub(crate) struct ViewerPositions<'w, 's> {
    nodes: Query<'w, 's, Node>,
    parents: Query<'w, 's, &'static ChildOf>,
    terrains: Query<'w, 's, TerrainPosition>,
    global_transforms: Query<'w, 's, &'static GlobalTransform>,
}

#[cfg(not(feature = "big_space"))]
type Node = &'static Transform;
/// The root of a `BigSpace` is a grid and has no transform.
#[cfg(feature = "big_space")]
type Node = (Option<&'static Transform>, Option<&'static CellCoord>, Option<&'static Grid>);

/// The transform of an entity relative to an ancestor, split into a cell and a small offset. Without a grid, the cell is 0.
struct CellTransform {
    /// From the coordinates of the entity to those of the cell.
    to_cell: DAffine3,
    /// The index of the cell.
    cell: [i128; 3],
}

impl CellTransform {
    const IDENTITY: Self = Self { to_cell: DAffine3::IDENTITY, cell: [0; 3] };
}

impl ViewerPositions<'_, '_> {
    /// The transform from the coordinates of `entity` to those of `terrain`.
    ///
    /// `None` if one of them, or one of their parents, has no `Transform`.
    pub fn in_terrain(&self, entity: Entity, terrain: Entity) -> Option<DAffine3> {
        let place = self.terrains.get(terrain).ok()?;
        if self.is_root(entity) && self.is_root(terrain) {
            // A shortcut for the common case, because this runs in every frame.
            let mut in_terrain = self.local(terrain)?.to_cell.inverse() * self.local(entity)?.to_cell;
            in_terrain.translation += place.origin.position();
            return Some(in_terrain);
        }
        let common = self.ancestors(entity).find(|&node| self.ancestors(terrain).any(|other| other == node));
        if common.is_none() && (self.is_in_grid(entity) || self.is_in_grid(terrain)) {
            // Two spaces without a common ancestor share only the rendered world: use the global transform of the last frame.
            let global = self.global_transforms.get(entity).ok()?;
            return Some(place.frame().world_to_terrain() * affine(&global.compute_transform()));
        }
        let here = self.relative_to(entity, common)?;
        let there = self.relative_to(terrain, common)?;
        let cells = std::array::from_fn(|axis| here.cell[axis] - there.cell[axis]);
        let between = DAffine3::from_translation(common.map_or(DVec3::ZERO, |common| self.metres(common, cells)));
        let mut in_terrain = there.to_cell.inverse() * between * here.to_cell;
        in_terrain.translation += place.origin.position();
        Some(in_terrain)
    }

    /// The transform of an entity without a parent and without a grid. `None` for other entities.
    pub fn root_transform(&self, entity: Entity) -> Option<&Transform> {
        #[cfg(feature = "big_space")]
        let transform = self.nodes.get(entity).ok().and_then(|(transform, ..)| transform);
        #[cfg(not(feature = "big_space"))]
        let transform = self.nodes.get(entity).ok();
        transform.filter(|_| self.is_root(entity))
    }

    /// The transform and the origin of a terrain without a parent and without a grid. `None` for other terrains.
    pub fn root_terrain(&self, terrain: Entity) -> Option<(Transform, TerrainOrigin)> {
        Some((*self.root_transform(terrain)?, *self.terrains.get(terrain).ok()?.origin))
    }

    /// Whether `entity` has no parent and no grid.
    fn is_root(&self, entity: Entity) -> bool {
        #[cfg(feature = "big_space")]
        if self.grid(entity).is_some() {
            return false;
        }
        !self.parents.contains(entity)
    }

    /// The scale of `terrain` in the world.
    pub fn scale(&self, terrain: Entity) -> f64 {
        self.ancestors(terrain).map(|node| self.own_scale(node)).product()
    }

    #[cfg(not(feature = "big_space"))]
    fn own_scale(&self, node: Entity) -> f64 {
        self.nodes.get(node).map_or(1.0, |transform| f64::from(transform.scale.y))
    }

    /// A grid has no scale.
    #[cfg(feature = "big_space")]
    fn own_scale(&self, node: Entity) -> f64 {
        match self.nodes.get(node) {
            Ok((Some(transform), _, None)) => f64::from(transform.scale.y),
            _ => 1.0,
        }
    }

    /// An entity and its ancestors, from the bottom up.
    fn ancestors(&self, entity: Entity) -> impl Iterator<Item = Entity> + '_ {
        std::iter::once(entity).chain(self.parents.iter_ancestors(entity))
    }

    /// The transform of `entity` relative to its ancestor `top`, or to the world.
    fn relative_to(&self, entity: Entity, top: Option<Entity>) -> Option<CellTransform> {
        let mut total = CellTransform::IDENTITY;
        for node in self.ancestors(entity).take_while(|&node| Some(node) != top) {
            let CellTransform { to_cell, cell } = self.local(node)?;
            let in_node = DAffine3::from_translation(self.metres(node, total.cell));
            total = CellTransform { to_cell: to_cell * in_node * total.to_cell, cell };
        }
        Some(total)
    }

    /// The transform of `node` relative to its parent.
    #[cfg(not(feature = "big_space"))]
    fn local(&self, node: Entity) -> Option<CellTransform> {
        let transform = self.nodes.get(node).ok()?;
        Some(CellTransform { to_cell: affine(transform), ..CellTransform::IDENTITY })
    }

    /// The transform of `node` relative to its parent, as `big_space` computes it.
    #[cfg(feature = "big_space")]
    fn local(&self, node: Entity) -> Option<CellTransform> {
        let (transform, cell, grid) = self.nodes.get(node).ok()?;
        let is_in_grid = self.parents.get(node).is_ok_and(|parent| self.grid(parent.parent()).is_some());
        let cell = cell.filter(|_| is_in_grid).map_or([0; 3], |cell| [cell.x, cell.y, cell.z].map(i128::from));
        let to_cell = match (transform, grid) {
            // A grid has no scale.
            (Some(Transform { translation, rotation, .. }), Some(_)) => {
                DAffine3::from_rotation_translation(rotation.as_dquat(), translation.as_dvec3())
            }
            (Some(transform), None) => affine(transform),
            (None, Some(_)) => DAffine3::IDENTITY,
            (None, None) => return None,
        };
        Some(CellTransform { to_cell, cell })
    }

    #[cfg(feature = "big_space")]
    fn grid(&self, node: Entity) -> Option<&Grid> {
        self.nodes.get(node).ok()?.2
    }

    /// The center of a cell in the grid of `node`, in metres. Zero without a grid.
    fn metres(&self, node: Entity, cells: [i128; 3]) -> DVec3 {
        #[cfg(feature = "big_space")]
        if let Some(grid) = self.grid(node) {
            return DVec3::from_array(cells.map(|count| count as f64 * f64::from(grid.cell_edge_length())));
        }
        let _ = (node, cells);
        DVec3::ZERO
    }

    /// Whether `entity` or one of its ancestors has a grid.
    fn is_in_grid(&self, entity: Entity) -> bool {
        #[cfg(feature = "big_space")]
        return self.ancestors(entity).any(|node| self.grid(node).is_some());
        #[cfg(not(feature = "big_space"))]
        {
            let _ = entity;
            false
        }
    }
}

fn affine(transform: &Transform) -> DAffine3 {
    let Transform { translation, rotation, scale } = *transform;
    DAffine3::from_scale_rotation_translation(scale.as_dvec3(), rotation.as_dquat(), translation.as_dvec3())
}
