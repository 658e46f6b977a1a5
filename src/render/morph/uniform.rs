//! What the shader knows of the viewers.

use super::super::TerrainView;
use super::pattern::{LATTICES, LatticeUniform, lattices};
use crate::chunk::{LEVELS, MorphViewer, Viewer};
use crate::stream::TerrainFrame;
use bevy::math::{DVec3, Vec4};
use bevy::render::render_resource::ShaderType;

/// A terrain with more viewers does not morph: so many fit into a uniform, with those of the frame before, on any device.
pub(super) const MOST_VIEWERS: usize = 16;

/// The viewers of this frame and of the one before, as `morph.wgsl` takes them, in the coordinates of the world, and the
/// pattern of the ground.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphUniform {
    viewer_count: u32,
    previous_viewer_count: u32,
    /// A [`TerrainView`].
    view: u32,
    unused: u32,
    /// Where the fine pattern of the ground lies.
    pattern: [LatticeUniform; LATTICES],
    /// First those of this frame, from [`MOST_VIEWERS`] on those of the frame before.
    viewers: [ViewerUniform; 2 * MOST_VIEWERS],
}

#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct ViewerUniform {
    /// Place along x and z in metres, square of the height gap; the last is unused.
    place: Vec4,
    /// Where the band of each level begins and one over its width, two levels each.
    bands: [Vec4; LEVELS / 2],
}

impl ViewerUniform {
    /// `viewer` of a terrain that lies in the world as `frame` says: it may be turned about y and scaled alike on all axes.
    fn new(viewer: &Viewer, frame: &TerrainFrame) -> Self {
        let [x, z] = viewer.place();
        let local = MorphViewer::new(viewer, [x, z]);
        let place = frame.to_world(DVec3::new(x, 0.0, z));
        let scale = frame.scale() as f32;
        let band = |pair: usize| {
            let [first, second] = [local.bands[2 * pair], local.bands[2 * pair + 1]]
                .map(|[start, per_metre]| [start * scale, per_metre / scale]);
            Vec4::new(first[0], first[1], second[0], second[1])
        };
        Self {
            place: Vec4::new(place.x, place.z, local.height_gap_squared * scale * scale, 0.0),
            bands: std::array::from_fn(band),
        }
    }
}

impl MorphUniform {
    /// The first frame of a terrain: nothing has moved since the one before.
    pub fn new(viewers: &[Viewer], frame: &TerrainFrame, view: TerrainView) -> Self {
        let mut uniform = Self { view: view as u32, pattern: lattices(frame), ..Self::default() };
        if viewers.len() <= MOST_VIEWERS {
            uniform.viewer_count = viewers.len() as u32;
            for (place, viewer) in uniform.viewers.iter_mut().zip(viewers) {
                *place = ViewerUniform::new(viewer, frame);
            }
        }
        uniform.set_previous(&{ uniform });
        uniform
    }

    /// Takes the viewers of `before` for those of the frame before.
    pub fn set_previous(&mut self, before: &Self) {
        self.previous_viewer_count = before.viewer_count;
        self.viewers[MOST_VIEWERS..].copy_from_slice(&before.viewers[..MOST_VIEWERS]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LodRanges, Morph, ViewerPoint};
    use crate::stream::TerrainOrigin;
    use bevy::math::{Quat, Vec2, Vec3};
    use bevy::render::render_resource::ShaderSize;
    use bevy::transform::components::{GlobalTransform, Transform};

    fn unmoved() -> TerrainFrame {
        TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::default())
    }

    fn viewer(x: f64, y: f64, z: f64) -> Viewer {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 });
        let point =
            ViewerPoint { position: [x, y, z], forward: [0.0; 2], view_distance: 1e4, projection_scale: 1000.0 };
        let ranges = LodRanges::least(&layout, 0);
        Viewer::new(&layout, point, ranges, (-5.0, 5.0))
    }

    /// The arithmetic of the shader.
    fn factor(uniform: &MorphUniform, level: u8, place: Vec2) -> f32 {
        let one = |viewer: &ViewerUniform| {
            let away = place - Vec2::new(viewer.place.x, viewer.place.y);
            let distance = (away.x * away.x + away.y * away.y + viewer.place.z).sqrt();
            let pair = viewer.bands[usize::from(level) / 2];
            let [start, per_metre] = if level % 2 == 1 { [pair.z, pair.w] } else { [pair.x, pair.y] };
            ((distance - start) * per_metre).clamp(0.0, 1.0)
        };
        uniform.viewers[..uniform.viewer_count as usize].iter().map(one).reduce(f32::min).unwrap_or(0.0)
    }

    #[test]
    fn the_factor_in_the_world_is_that_in_the_terrain() {
        let viewers = [viewer(100.0, 0.0, -40.0), viewer(-300.0, 400.0, 250.0)];
        let morph = Morph::new(&viewers, [0.0; 2]);
        for transform in [
            Transform::IDENTITY,
            Transform::from_xyz(50.0, -700.0, 20.0).with_scale(Vec3::splat(2.5)),
            Transform {
                translation: Vec3::new(-900.0, 30.0, 0.5),
                rotation: Quat::from_rotation_y(1.1),
                scale: Vec3::splat(0.25),
            },
        ] {
            let frame = TerrainFrame::new(&transform.into(), TerrainOrigin::default());
            let uniform = MorphUniform::new(&viewers, &frame, TerrainView::Look);
            let mut between = 0;
            for (level, step) in (0..6).flat_map(|level| (0..200_u8).map(move |step| (level, step))) {
                let place = Vec2::new(f32::from(step) * 8.0 - 900.0, f32::from(step) * -3.0 + 250.0);
                let world = transform.transform_point(Vec3::new(place.x, 12.0, place.y));
                let (expected, here) =
                    (morph.factor(level, place.into()), factor(&uniform, level, Vec2::new(world.x, world.z)));
                // Places are rounded in f32 at up to 2500 m, 0.0002 m, in bands of 8 m and more.
                assert!((here - expected).abs() < 1e-3, "{here} for {expected} at {place}, level {level}");
                between += usize::from(expected > 0.0 && expected < 1.0);
            }
            assert!(between > 20, "only {between} of the places lie in a band");
        }
    }

    #[test]
    fn a_viewer_a_million_kilometres_away_is_as_exact_as_at_the_origin() {
        let far = [viewer(1e9 + 100.25, 3.0, -40.5 - 1e9)];
        let near = [viewer(100.25, 3.0, -40.5)];
        let frame = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::new(1e9, -1e9));
        let [here, there] = [(&near, &unmoved()), (&far, &frame)]
            .map(|(viewers, frame)| MorphUniform::new(viewers, frame, TerrainView::Look));
        assert_eq!(here, there);
    }

    #[test]
    fn the_viewers_of_the_frame_before_stay_for_a_frame() {
        let (first, second) = ([viewer(0.0, 0.0, 0.0)], [viewer(9.0, 0.0, 0.0), viewer(4.0, 0.0, 4.0)]);
        let frame = unmoved();
        let before = MorphUniform::new(&first, &frame, TerrainView::Look);
        assert_eq!((before.viewer_count, before.previous_viewer_count), (1, 1));
        let mut after = MorphUniform::new(&second, &frame, TerrainView::Levels);
        after.set_previous(&before);
        assert_eq!((after.viewer_count, after.previous_viewer_count, after.view), (2, 1, 1));
        assert_eq!(after.viewers[MOST_VIEWERS], before.viewers[0]);
    }

    #[test]
    fn more_viewers_than_fit_stop_the_morph() {
        let viewers = [viewer(0.0, 0.0, 0.0); MOST_VIEWERS + 1];
        let count = |viewers: &[Viewer]| MorphUniform::new(viewers, &unmoved(), TerrainView::Look).viewer_count;
        assert_eq!((count(&viewers[1..]), count(&viewers), count(&[])), (16, 0, 0));
    }

    #[test]
    fn the_uniform_fits_any_device() {
        // What WebGL 2 promises.
        assert!(MorphUniform::SHADER_SIZE.get() <= 16 * 1024);
    }
}
