//! Rays against the level-0 triangles.

use super::Ground;
use super::trace::{Crossing, Line, Side, first_hit};

/// The limits of a ray: the sides of the ground that it hits, and how far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaySettings {
    /// Where the ray ends, in metres from its origin. Default: 4000.
    /// \[Limit: 0 to [`MAX_DISTANCE`](Self::MAX_DISTANCE); more counts as that\]
    pub max_distance: f64,
    /// Whether the ray also hits the ground from below. Default: `false`.
    pub is_two_sided: bool,
}

impl RaySettings {
    /// The longest ray, in metres. A longer one might take seconds.
    pub const MAX_DISTANCE: f64 = 100_000.0;

    /// A ray of this length, in metres, that hits the ground from above.
    #[must_use]
    pub const fn up_to(max_distance: f64) -> Self {
        Self { max_distance, is_two_sided: false }
    }

    /// The length of the ray, in metres. Unlike with `f64::min`, NaN stays.
    const fn length(&self) -> f64 {
        if self.max_distance > Self::MAX_DISTANCE { Self::MAX_DISTANCE } else { self.max_distance }
    }

    /// The same, but the ray also hits the ground from below.
    #[must_use]
    pub const fn two_sided(self) -> Self {
        Self { is_two_sided: true, ..self }
    }
}

impl Default for RaySettings {
    fn default() -> Self {
        Self::up_to(4000.0)
    }
}

/// Where a ray hits the ground, in the terrain's own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundHit {
    /// The position: x, y and z in metres.
    pub position: [f64; 3],
    /// The distance from the origin of the ray, in metres.
    pub distance: f64,
    /// The unit normal of the triangle. It points up, also if the ray comes from below.
    pub normal: [f32; 3],
    /// Whether the ray comes from below the ground.
    pub is_from_below: bool,
}

impl Ground {
    /// How far the ends of a [line of sight](Self::line_of_sight) may lie in the ground, in metres along the line. So things that
    /// stand on the ground are visible, in spite of rounding.
    pub const SIGHT_MARGIN: f64 = 0.01;

    /// The first hit of a ray, or `None`. `origin` is in metres; `direction` may have any length.
    ///
    /// - The ray crosses the ground at the hit, from above unless the settings are two-sided. A ray that only touches the ground
    ///   does not hit it. A ray that starts below the ground may leave it, and hit it again from above.
    /// - Nothing lies between the origin and the hit. The hit is exact to 1 mm, also 10^9 m from the origin of the terrain. No
    ///   ray slips through between two triangles.
    /// - There is no hit if a number is not finite, if `direction` has no length, or further than
    ///   [`MAX_COORDINATE`](Self::MAX_COORDINATE) from the origin of the terrain.
    ///
    /// A ray reads tiles of chunks, which are made when it first comes near: the first ray in new land takes far longer than the next
    /// one. Source of the traversal: Tevs, Ihrke, Seidel, "Maximum mipmaps for fast, accurate, and scalable dynamic height field
    /// rendering", 2008. Here, every crossing is computed between two lines of the grid, along which the ground is linear.
    #[must_use]
    pub fn ray(&self, origin: [f64; 3], direction: [f64; 3], settings: &RaySettings) -> Option<GroundHit> {
        let line = Line::new(origin, direction, settings.length())?;
        Some(first_hit(self, &line, None, settings.is_two_sided)?.of(&line))
    }

    /// Replaces `hits` by the [first hits](Self::ray) of `rays`, each an origin and a direction.
    pub fn rays(&self, rays: &[[[f64; 3]; 2]], settings: &RaySettings, hits: &mut Vec<Option<GroundHit>>) {
        hits.clear();
        hits.extend(rays.iter().map(|&[origin, direction]| self.ray(origin, direction, settings)));
    }

    /// Whether no ground lies between two positions, apart from [`SIGHT_MARGIN`](Self::SIGHT_MARGIN) at both ends. Positions in the
    /// ground see nothing. `false` for positions that are not finite, or further apart than [`RaySettings::MAX_DISTANCE`].
    #[must_use]
    pub fn line_of_sight(&self, from: [f64; 3], to: [f64; 3]) -> bool {
        let between: [f64; 3] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let distance = between.iter().map(|part| part * part).sum::<f64>().sqrt();
        let length = distance - 2.0 * Self::SIGHT_MARGIN;
        if length <= 0.0 {
            let [x, y, z] = from;
            return y.is_finite() && self.height(x, z) <= y + Self::SIGHT_MARGIN;
        }
        let Some(line) = Line::new(from, between, length) else { return false };
        let line = Line { origin: line.at(Self::SIGHT_MARGIN), ..line };
        distance <= RaySettings::MAX_DISTANCE && first_hit(self, &line, Some(Side::Above), false).is_none()
    }

    /// The farthest position along x and z that a ray may have, in metres: 8 billion kilometres. Beyond it, the positions of vertices
    /// are no longer exact in `f64`.
    pub const MAX_COORDINATE: f64 = Line::MAX_COORDINATE;
}

impl Crossing {
    /// The hit of `line`.
    pub fn of(&self, line: &Line) -> GroundHit {
        GroundHit {
            position: line.at(self.distance),
            distance: self.distance,
            normal: self.normal,
            is_from_below: self.from == Side::Below,
        }
    }
}

#[cfg(test)]
mod tests;
