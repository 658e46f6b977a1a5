//! The position and the view of a viewer.

use super::{ChunkCoord, ChunkLayout};

/// The position and the view of a viewer, in the terrain's own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewerPoint {
    /// Position along x, y and z, in metres.
    pub position: [f64; 3],
    /// Horizontal view direction: a unit vector along x and z, or zero for a view straight up or down.
    pub forward: [f64; 2],
    /// View distance, in metres.
    pub view_distance: f64,
    /// Size of one metre on the screen, in pixels: at a distance of one metre, see [`projection_scale`](Self::projection_scale), or
    /// at any distance if the image is orthographic.
    pub projection_scale: f64,
    /// Whether everything appears at the same scale, however far away it is.
    pub is_orthographic: bool,
}

impl ViewerPoint {
    /// The projection scale of a viewport that is `height` pixels high, with a vertical field of view in radians: the size of one
    /// metre in pixels at a distance of one metre, in the center of the view.
    #[must_use]
    pub fn projection_scale(height: f64, field_of_view: f64) -> f64 {
        height / (2.0 * libm::tan(field_of_view / 2.0))
    }

    /// The distance in metres from which on an error of so many metres is no larger than `pixels` on the screen. It may be infinite.
    #[must_use]
    pub fn distance_of_error(&self, error: f64, pixels: f64) -> f64 {
        let at_one_metre = error * self.projection_scale;
        match self.is_orthographic {
            true if at_one_metre <= pixels => 0.0,
            false if pixels > 0.0 => at_one_metre / pixels,
            _ => f64::INFINITY,
        }
    }

    /// Whether a part of `chunk` is within the horizontal view distance.
    #[must_use]
    pub fn sees(&self, layout: &ChunkLayout, chunk: ChunkCoord) -> bool {
        layout.distance(chunk, self.xz()) <= self.view_distance
    }

    /// Position on the ground plane: x and z, in metres.
    #[must_use]
    pub const fn xz(&self) -> [f64; 2] {
        [self.position[0], self.position[2]]
    }

    /// The height above or below all ground within `bounds`, in metres. 0 between them.
    #[must_use]
    pub fn height_gap(&self, bounds: (f32, f32)) -> f64 {
        let (lowest, highest) = (f64::from(bounds.0), f64::from(bounds.1));
        (lowest - self.position[1]).max(self.position[1] - highest).max(0.0)
    }

    /// Whether all numbers are finite. Other viewers are ignored.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let numbers = [self.view_distance, self.projection_scale];
        self.position.iter().chain(&self.forward).chain(&numbers).all(|number| number.is_finite())
    }
}
