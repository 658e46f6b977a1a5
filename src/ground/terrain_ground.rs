//! The system parameter for games: the ground in world coordinates.

use super::drawn::DrawnChunk;
use super::plugin::TerrainTiles;
use super::{AreaError, Ground, GroundHit, GroundTriangles, RaySettings};
use crate::chunk::{ChunkCoord, ChunkLayout, Morph, SurfacePoint, Viewer};
use crate::field::HeightField;
use crate::stream::{Terrain, TerrainFrame, TerrainPlace, TerrainState};
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;
use std::sync::Arc;

/// Heights, normals and rays of the terrain, in world coordinates.
///
/// Queries the ground that is currently shown. During a reload, that is still the old ground.
///
/// - What asks for one position returns `None` if it is not finite, or if no terrain has loaded its settings yet. What may find no
///   ground, such as a [ray](Self::ray), returns [`GroundNotLoaded`] in the second case: ask again in a later frame.
/// - If terrains overlap, the highest one counts.
/// - Only the x and z of `position` matter, unless the terrain is tilted.
/// - The position of a terrain is that of its `GlobalTransform`, so a move takes effect after transform propagation.
/// - A world position has the precision of `f32`. Far from the origin, use [`surface_height`](crate::chunk::surface_height) with
///   the terrain's own coordinates, which are `f64`, or the [`Ground`] of [`ground`](Self::ground).
/// - All methods take `&self`: any number of systems can query the ground at the same time. They share the tiles that rays and
///   boxes read, in [`TerrainBudget::query_memory`](crate::stream::TerrainBudget::query_memory).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_perlin_terrain::prelude::*;
/// #[derive(Component)]
/// struct Walker;
///
/// fn stand_on_ground(ground: TerrainGround, mut walkers: Query<&mut Transform, With<Walker>>) {
///     for mut walker in &mut walkers {
///         if let Some(height) = ground.height(walker.translation) {
///             walker.translation.y = height;
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(stand_on_ground);
/// ```
#[derive(SystemParam)]
pub struct TerrainGround<'w, 's> {
    terrains: Query<'w, 's, (Entity, &'static TerrainState, TerrainPlace), With<Terrain>>,
    tiles: Res<'w, TerrainTiles>,
}

/// A point on the ground, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// The position, in metres.
    pub position: Vec3,
    /// The unit normal.
    pub normal: Vec3,
}

impl GroundPoint {
    /// The angle between the ground and the horizontal, in radians: 0 on level ground.
    #[must_use]
    pub fn slope(&self) -> f32 {
        let [x, y, z] = self.normal.to_array();
        SurfacePoint { height: 0.0, normal: [x, y, z] }.slope()
    }

    fn new(frame: &TerrainFrame, [x, z]: [f64; 2], SurfacePoint { height, normal }: SurfacePoint) -> Self {
        Self {
            position: frame.to_world(DVec3::new(x, height, z)),
            normal: frame.normal_to_world(Vec3::from_array(normal)),
        }
    }
}

/// A point on the ground that is drawn now.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DrawnGround {
    /// Position and normal, in world coordinates.
    pub point: GroundPoint,
    /// The terrain.
    pub terrain: Entity,
    /// The drawn chunk, with its level.
    pub chunk: ChunkCoord,
}

/// Where a ray hits a terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TerrainHit {
    /// The position, in world coordinates.
    pub position: Vec3,
    /// The unit normal of the triangle, in world coordinates. It points up, also if the ray comes from below.
    pub normal: Vec3,
    /// The distance from the origin of the ray, in metres of the world.
    pub distance: f32,
    /// Whether the ray comes from below the ground.
    pub is_from_below: bool,
    /// The terrain.
    pub terrain: Entity,
    /// The position in the terrain's own coordinates.
    pub place: DVec3,
}

/// A terrain has not loaded its settings yet, so its ground is not known. Ask again in a later frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("a terrain has not loaded its settings yet")]
pub struct GroundNotLoaded;

impl TerrainGround<'_, '_> {
    /// The world height, in metres, of the level-0 triangle above or below `position`. The same triangle is drawn near a viewer;
    /// at a vertex, the height has the drawn bits.
    #[must_use]
    pub fn height(&self, position: Vec3) -> Option<f32> {
        self.point(position).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the level-0 triangle above or below `position`. It is constant on a triangle.
    /// For a smooth normal, as the shading uses, see [`field_normal`](Self::field_normal).
    #[must_use]
    pub fn normal(&self, position: Vec3) -> Option<Vec3> {
        self.point(position).map(|point| point.normal)
    }

    /// The angle between the level-0 triangle above or below `position` and the horizontal, in radians: 0 on level ground.
    #[must_use]
    pub fn slope(&self, position: Vec3) -> Option<f32> {
        self.point(position).map(|point| point.slope())
    }

    /// The point of the level-0 triangle above or below `position`: height, normal and slope for the price of one.
    #[must_use]
    pub fn point(&self, position: Vec3) -> Option<GroundPoint> {
        self.find(position, SurfacePoint::at)
    }

    /// The world height, in metres, of the smooth height field above or below `position`. Between vertices it differs from the
    /// drawn [`height`](Self::height). The [module docs](super) have the differences.
    #[must_use]
    pub fn field_height(&self, position: Vec3) -> Option<f32> {
        let level = |field: &HeightField, _: &ChunkLayout, x, z| SurfacePoint {
            height: field.height(x, z).into(),
            normal: [0.0, 1.0, 0.0],
        };
        self.find(position, level).map(|point| point.position.y)
    }

    /// The unit normal, in world coordinates, of the smooth height field above or below `position`, from central differences
    /// over the spacing of level 0. At a vertex it is the normal of the level-0 mesh.
    #[must_use]
    pub fn field_normal(&self, position: Vec3) -> Option<Vec3> {
        self.find(position, field_point).map(|point| point.normal)
    }

    /// The [point](Self::point) of each of `positions`. For hundreds of positions, several times as fast.
    #[must_use]
    pub fn points(&self, positions: &[Vec3]) -> Vec<Option<GroundPoint>> {
        self.find_all(positions, Ground::points)
    }

    /// The [`field_height`](Self::field_height) of each of `positions`. For hundreds of positions, several times as fast.
    #[must_use]
    pub fn field_heights(&self, positions: &[Vec3]) -> Vec<Option<f32>> {
        let find = |ground: &Ground, places: &[[f64; 2]], points: &mut Vec<SurfacePoint>| {
            let mut heights = vec![0.0; places.len()];
            ground.field().heights_at(places, &mut heights);
            points.clear();
            points.extend(
                heights.into_iter().map(|height| SurfacePoint { height: height.into(), normal: [0.0, 1.0, 0.0] }),
            );
        };
        let points = self.find_all(positions, find);
        points.into_iter().map(|point| point.map(|point| point.position.y)).collect()
    }

    /// The first hit of a ray with the level-0 triangles. See [`Ground::ray`] for what counts as a hit.
    ///
    /// A distance of the settings is in metres of the world. `Ok(None)` if nothing is hit, or if a number of `ray` is not finite.
    ///
    /// # Errors
    ///
    /// If nothing is hit, and a terrain has not loaded its settings yet.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_perlin_terrain::prelude::*;
    /// # use bevy_perlin_terrain::ground::RaySettings;
    /// fn shoot(ground: TerrainGround, gun: Single<&GlobalTransform, With<Camera3d>>) {
    ///     let ray = Ray3d::new(gun.translation(), gun.forward());
    ///     match ground.ray(ray, &RaySettings::up_to(800.0)) {
    ///         Ok(Some(hit)) => info!("dust at {}, {} m away", hit.position, hit.distance),
    ///         Ok(None) => info!("into the sky"),
    ///         Err(not_loaded) => info!("{not_loaded}"),
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(shoot);
    /// ```
    pub fn ray(&self, ray: Ray3d, settings: &RaySettings) -> Result<Option<TerrainHit>, GroundNotLoaded> {
        let hits = self.terrains.iter().map(|(terrain, state, place)| {
            let ground = self.ground_of(state).ok_or(GroundNotLoaded)?;
            Ok(WorldRay::new(ray, &place.frame()).hit(terrain, |origin, direction, scale| {
                let max_distance = settings.max_distance * scale;
                ground.ray(origin, direction, &RaySettings { max_distance, ..*settings })
            }))
        });
        nearest(hits)
    }

    /// The [first hits](Self::ray) of many rays.
    ///
    /// # Errors
    ///
    /// If a ray hits nothing, and a terrain has not loaded its settings yet.
    pub fn rays(&self, rays: &[Ray3d], settings: &RaySettings) -> Result<Vec<Option<TerrainHit>>, GroundNotLoaded> {
        rays.iter().map(|&ray| self.ray(ray, settings)).collect()
    }

    /// Whether no ground lies between two positions. See [`Ground::line_of_sight`] for the ends, which may touch the ground.
    ///
    /// # Errors
    ///
    /// If nothing lies between them, and a terrain has not loaded its settings yet.
    pub fn line_of_sight(&self, from: Vec3, to: Vec3) -> Result<bool, GroundNotLoaded> {
        if !(from.is_finite() && to.is_finite()) {
            return Ok(false);
        }
        let mut all_loaded = Ok(true);
        for (_, state, place) in &self.terrains {
            let Some(ground) = self.ground_of(state) else {
                all_loaded = Err(GroundNotLoaded);
                continue;
            };
            let [from, to] = [from, to].map(|end| place.frame().to_terrain(end).to_array());
            if !ground.line_of_sight(from, to) {
                return Ok(false);
            }
        }
        all_loaded
    }

    /// The lowest and the highest level-0 vertex of `terrain` in a box of the world between two corners, whose heights don't count.
    /// `None` without a vertex in the box, or without such a terrain.
    ///
    /// If the terrain is rotated, the box is the smallest one along the axes of the terrain that has both corners and all between.
    ///
    /// # Errors
    ///
    /// If the terrain has not loaded its settings yet, or the box is not valid or too large.
    pub fn extremes(&self, terrain: Entity, corners: [Vec3; 2]) -> Result<Option<[Vec3; 2]>, GroundAreaError> {
        let Some((ground, frame)) = self.loaded(terrain)? else { return Ok(None) };
        let [min, max] = area(&frame, corners);
        let extremes = ground.extremes(min, max)?;
        let to_world = |place| frame.to_world(DVec3::from_array(place));
        Ok(extremes.map(|extremes| [extremes.lowest, extremes.highest].map(to_world)))
    }

    /// The triangles of `terrain` in a box of the world, with world positions. See [`Ground::triangles_in`], and
    /// [`extremes`](Self::extremes) for the box. `None` without such a terrain.
    ///
    /// # Errors
    ///
    /// If the terrain has not loaded its settings yet, or the box or the spacing is not valid, or there are too many vertices.
    pub fn triangles_in(
        &self,
        terrain: Entity,
        corners: [Vec3; 2],
        spacing: f32,
    ) -> Result<Option<WorldTriangles>, GroundAreaError> {
        let Some((ground, frame)) = self.loaded(terrain)? else { return Ok(None) };
        let [min, max] = area(&frame, corners);
        let GroundTriangles { origin, positions, triangles, .. } =
            ground.triangles_in(min, max, f64::from(spacing) / frame.scale())?;
        let to_world = |[x, y, z]: [f32; 3]| {
            frame.to_world(DVec3::new(origin[0] + f64::from(x), y.into(), origin[1] + f64::from(z)))
        };
        Ok(Some(WorldTriangles { positions: positions.into_iter().map(to_world).collect(), triangles }))
    }

    /// The ground that is drawn now above or below `position`: the triangle of the drawn chunk, at its level and with its morph.
    /// `None` where nothing is drawn.
    ///
    /// This is what players see. It depends on the viewers, so use [`height`](Self::height) for anything that must stay, or must
    /// be the same on other machines. It is the ground as the material of the crate draws it: `TerrainRenderPlugin::plain_meshes`,
    /// and more than 16 viewers, draw without a morph.
    #[must_use]
    pub fn surface_at(&self, position: Vec3) -> Option<DrawnGround> {
        if !position.is_finite() {
            return None;
        }
        let points = self.terrains.iter().filter_map(|(terrain, state, place)| {
            let (ground, tree) = (self.ground_of(state)?, state.quadtree()?);
            let frame = place.frame();
            let DVec3 { x, z, .. } = frame.to_terrain(position);
            let coord = *tree.leaves_in(ground.layout().chunk_at(0, x, z)).first()?;
            let morphs = state.settings().is_some_and(|settings| settings.lod.morph);
            let viewers: Vec<Viewer> = if morphs { state.viewers().collect() } else { vec![] };
            let morph = Morph::new(&viewers, ground.layout().origin(coord));
            let chunk = DrawnChunk { coord, edges: tree.stitch_mask(coord), morph };
            let point = GroundPoint::new(&frame, [x, z], ground.drawn_point(&chunk, [x, z])?);
            Some(DrawnGround { point, terrain, chunk: coord })
        });
        points.max_by(|a, b| a.point.position.y.total_cmp(&b.point.position.y))
    }

    /// The ground of `terrain` in its own coordinates, which are `f64`. It can be moved to a task. `None` before the terrain has
    /// loaded its settings. After a reload, it is still the ground from before.
    #[must_use]
    pub fn ground(&self, terrain: Entity) -> Option<Ground> {
        self.terrains.get(terrain).ok().and_then(|(_, state, _)| self.ground_of(state))
    }

    fn ground_of(&self, state: &TerrainState) -> Option<Ground> {
        let (field, layout) = (state.field()?, state.layout()?);
        Some(Ground::with_tiles(Arc::clone(field), *layout, Arc::clone(&self.tiles.0)))
    }

    /// The ground of a terrain and its frame. `None` if there is no such terrain.
    fn loaded(&self, terrain: Entity) -> Result<Option<(Ground, TerrainFrame)>, GroundNotLoaded> {
        let Ok((_, state, place)) = self.terrains.get(terrain) else { return Ok(None) };
        self.ground_of(state).map(|ground| Some((ground, place.frame()))).ok_or(GroundNotLoaded)
    }

    /// The highest of the points that `find` returns, one for each terrain.
    fn find(
        &self,
        position: Vec3,
        find: impl Fn(&HeightField, &ChunkLayout, f64, f64) -> SurfacePoint,
    ) -> Option<GroundPoint> {
        if !position.is_finite() {
            return None;
        }
        let points = self.terrains.iter().filter_map(|(_, state, place)| {
            let (field, layout) = (state.field()?, state.layout()?);
            let frame = place.frame();
            let DVec3 { x, z, .. } = frame.to_terrain(position);
            Some(GroundPoint::new(&frame, [x, z], find(field, layout, x, z)))
        });
        points.max_by(|a, b| a.position.y.total_cmp(&b.position.y))
    }

    /// The highest of the points that `find` replaces its last argument by, one for each terrain and each position.
    fn find_all(
        &self,
        positions: &[Vec3],
        find: impl Fn(&Ground, &[[f64; 2]], &mut Vec<SurfacePoint>),
    ) -> Vec<Option<GroundPoint>> {
        let mut highest: Vec<Option<GroundPoint>> = vec![None; positions.len()];
        let mut points = vec![];
        for (_, state, place) in &self.terrains {
            let Some(ground) = self.ground_of(state) else { continue };
            let (frame, to_terrain) = (place.frame(), place.frame().world_to_terrain());
            let places: Vec<[f64; 2]> = positions
                .iter()
                .map(|position| {
                    let DVec3 { x, z, .. } = to_terrain.transform_point3(position.as_dvec3());
                    [x, z]
                })
                .collect();
            find(&ground, &places, &mut points);
            for (((highest, position), place), &point) in highest.iter_mut().zip(positions).zip(places).zip(&points) {
                let point = GroundPoint::new(&frame, place, point);
                if position.is_finite() && highest.is_none_or(|highest| point.position.y >= highest.position.y) {
                    *highest = Some(point);
                }
            }
        }
        highest
    }
}

/// Triangles in world coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct WorldTriangles {
    /// The vertices, in metres.
    pub positions: Vec<Vec3>,
    /// Three vertices for each triangle, counter-clockwise seen from above.
    pub triangles: Vec<[u32; 3]>,
}

/// A box of the world that can't be answered for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundAreaError {
    /// The terrain is not loaded yet.
    #[error(transparent)]
    NotLoaded(#[from] GroundNotLoaded),
    /// The box is not valid or too large.
    #[error(transparent)]
    Area(#[from] AreaError),
}

/// A ray of the world in terrain coordinates.
struct WorldRay<'a> {
    frame: &'a TerrainFrame,
    origin: DVec3,
    direction: DVec3,
}

impl<'a> WorldRay<'a> {
    fn new(ray: Ray3d, frame: &'a TerrainFrame) -> Self {
        Self { frame, origin: frame.to_terrain(ray.origin), direction: frame.vector_to_terrain(*ray.direction) }
    }

    /// The hit that `find` returns for the origin, the direction, and the length of a metre of the world along the ray.
    fn hit(&self, terrain: Entity, find: impl Fn([f64; 3], [f64; 3], f64) -> Option<GroundHit>) -> Option<TerrainHit> {
        let scale = self.direction.length();
        let hit = find(self.origin.to_array(), self.direction.to_array(), scale)?;
        let place = DVec3::from_array(hit.position);
        Some(TerrainHit {
            position: self.frame.to_world(place),
            normal: self.frame.normal_to_world(Vec3::from_array(hit.normal)),
            distance: (hit.distance / scale) as f32,
            is_from_below: hit.is_from_below,
            terrain,
            place,
        })
    }
}

/// The nearest of the hits with all terrains. An error counts if there is no hit.
fn nearest(
    hits: impl Iterator<Item = Result<Option<TerrainHit>, GroundNotLoaded>>,
) -> Result<Option<TerrainHit>, GroundNotLoaded> {
    let (mut nearest, mut all_loaded): (Option<TerrainHit>, _) = (None, Ok(()));
    for hit in hits {
        match hit {
            Ok(Some(hit)) if nearest.is_none_or(|nearest| hit.distance < nearest.distance) => nearest = Some(hit),
            Ok(_) => {}
            Err(not_loaded) => all_loaded = Err(not_loaded),
        }
    }
    if nearest.is_none() { all_loaded.map(|()| None) } else { Ok(nearest) }
}

/// The smallest area of a terrain that has a box of the world between two corners.
fn area(frame: &TerrainFrame, [a, b]: [Vec3; 2]) -> [[f64; 2]; 2] {
    let corners = [a, b, Vec3::new(a.x, a.y, b.z), Vec3::new(b.x, b.y, a.z)];
    let places = corners.map(|corner| frame.to_terrain(corner)).map(|place| [place.x, place.z]);
    // Unlike `f64::min`, NaN stays.
    let pick = |a: f64, b: f64, is_less: bool| if a.is_nan() || (a < b) == is_less { a } else { b };
    let fold = |is_less| {
        let all = places.into_iter().reduce(|one, other| [0, 1].map(|axis| pick(one[axis], other[axis], is_less)));
        all.unwrap_or_default()
    };
    [fold(true), fold(false)]
}

/// Height and normal of the smooth field.
fn field_point(field: &HeightField, layout: &ChunkLayout, x: f64, z: f64) -> SurfacePoint {
    SurfacePoint { height: field.height(x, z).into(), normal: field.normal(x, z, layout.spacing(0)) }
}
