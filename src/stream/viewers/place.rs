//! Where viewers are, in the coordinates of a terrain.

use crate::stream::place::{TerrainOrigin, TerrainPlace};
use bevy::ecs::system::SystemParam;
use bevy::math::{DAffine3, DVec3};
use bevy::prelude::*;
#[cfg(feature = "big_space")]
use big_space::grid::{Grid, cell::CellCoord};

/// Finds places in the coordinates of a terrain, in `f64`, from the transforms of this very frame.
///
/// Both ways lead up only to the nearest common ancestor, and what is far from the origin there, cells of a `BigSpace` and
/// [`TerrainOrigin`](crate::stream::TerrainOrigin)s, is counted in integers or in `f64`. So a viewer's place is as exact a million
/// kilometres from the origin as beside it.
#[derive(SystemParam)]
pub(crate) struct ViewerPlaces<'w, 's> {
    nodes: Query<'w, 's, Node>,
    parents: Query<'w, 's, &'static ChildOf>,
    terrains: Query<'w, 's, TerrainPlace>,
    drawn: Query<'w, 's, &'static GlobalTransform>,
}

#[cfg(not(feature = "big_space"))]
type Node = &'static Transform;
/// The root of a `BigSpace` is a grid and has no transform.
#[cfg(feature = "big_space")]
type Node = (Option<&'static Transform>, Option<&'static CellCoord>, Option<&'static Grid>);

/// A place among the children of an entity: less than a cell away from the center of one, where there are cells.
struct Step {
    /// From the coordinates of what is placed to those of the cell.
    to_cell: DAffine3,
    /// The center of the cell, in whole cells.
    cell: [i128; 3],
}

impl Step {
    const HERE: Self = Self { to_cell: DAffine3::IDENTITY, cell: [0; 3] };
}

impl ViewerPlaces<'_, '_> {
    /// From the coordinates of `entity` to those of `terrain`.
    ///
    /// `None` where one of them is nowhere: it, or what it is a child of, has no `Transform`.
    pub fn in_terrain(&self, entity: Entity, terrain: Entity) -> Option<DAffine3> {
        let place = self.terrains.get(terrain).ok()?;
        if self.is_alone(entity) && self.is_alone(terrain) {
            // The common case, looked at in every frame.
            let mut in_terrain = self.local(terrain)?.to_cell.inverse() * self.local(entity)?.to_cell;
            in_terrain.translation += place.origin.place();
            return Some(in_terrain);
        }
        let common = self.ancestors(entity).find(|&node| self.ancestors(terrain).any(|other| other == node));
        if common.is_none() && (self.is_in_cells(entity) || self.is_in_cells(terrain)) {
            // Two spaces that have nothing in common but the picture: what is drawn counts, that of the last frame.
            let drawn = self.drawn.get(entity).ok()?;
            return Some(place.frame().world_to_terrain() * affine(&drawn.compute_transform()));
        }
        let here = self.lift(entity, common)?;
        let there = self.lift(terrain, common)?;
        let cells = std::array::from_fn(|axis| here.cell[axis] - there.cell[axis]);
        let between = DAffine3::from_translation(common.map_or(DVec3::ZERO, |common| self.metres(common, cells)));
        let mut in_terrain = there.to_cell.inverse() * between * here.to_cell;
        in_terrain.translation += place.origin.place();
        Some(in_terrain)
    }

    /// The transform of an entity that has no parent and is not counted in cells.
    pub fn alone(&self, entity: Entity) -> Option<&Transform> {
        #[cfg(feature = "big_space")]
        let transform = self.nodes.get(entity).ok().and_then(|(transform, ..)| transform);
        #[cfg(not(feature = "big_space"))]
        let transform = self.nodes.get(entity).ok();
        transform.filter(|_| self.is_alone(entity))
    }

    /// That of such a terrain, and which of its places it stands at.
    pub fn terrain_alone(&self, terrain: Entity) -> Option<(Transform, TerrainOrigin)> {
        Some((*self.alone(terrain)?, *self.terrains.get(terrain).ok()?.origin))
    }

    /// Whether `entity` has no parent, and is not counted in cells.
    fn is_alone(&self, entity: Entity) -> bool {
        #[cfg(feature = "big_space")]
        if self.grid(entity).is_some() {
            return false;
        }
        !self.parents.contains(entity)
    }

    /// Metres of the world for each of `terrain`'s.
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

    /// An entity and what it is a child of, from the bottom up.
    fn ancestors(&self, entity: Entity) -> impl Iterator<Item = Entity> + '_ {
        std::iter::once(entity).chain(self.parents.iter_ancestors(entity))
    }

    /// The place of `entity` in the coordinates of `top`, its ancestor, or of the world.
    fn lift(&self, entity: Entity, top: Option<Entity>) -> Option<Step> {
        let mut lifted = Step::HERE;
        for node in self.ancestors(entity).take_while(|&node| Some(node) != top) {
            let Step { to_cell, cell } = self.local(node)?;
            let in_node = DAffine3::from_translation(self.metres(node, lifted.cell));
            lifted = Step { to_cell: to_cell * in_node * lifted.to_cell, cell };
        }
        Some(lifted)
    }

    /// The place of `node` among the children of its parent.
    #[cfg(not(feature = "big_space"))]
    fn local(&self, node: Entity) -> Option<Step> {
        let transform = self.nodes.get(node).ok()?;
        Some(Step { to_cell: affine(transform), ..Step::HERE })
    }

    /// The place of `node` among the children of its parent, as `big_space` draws it.
    #[cfg(feature = "big_space")]
    fn local(&self, node: Entity) -> Option<Step> {
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
        Some(Step { to_cell, cell })
    }

    #[cfg(feature = "big_space")]
    fn grid(&self, node: Entity) -> Option<&Grid> {
        self.nodes.get(node).ok()?.2
    }

    /// The center of a cell among the children of `node`.
    fn metres(&self, node: Entity, cells: [i128; 3]) -> DVec3 {
        #[cfg(feature = "big_space")]
        if let Some(grid) = self.grid(node) {
            return DVec3::from_array(cells.map(|count| count as f64 * f64::from(grid.cell_edge_length())));
        }
        let _ = (node, cells);
        DVec3::ZERO
    }

    /// Whether `entity` is counted in cells, or is a child of what is.
    fn is_in_cells(&self, entity: Entity) -> bool {
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
