//! The viewers, the time and more of a terrain in the layout of the shader.

use super::super::TerrainView;
use super::super::clouds::CloudUniform;
use super::pattern::{LatticeUniform, lattices};
use super::waves::wave_uniforms;
use crate::chunk::{LEVELS, MorphViewer, Viewer};
use crate::look::far_map::TEXELS;
use crate::look::pattern::LATTICES;
use crate::look::waves::WAVES;
use crate::render::shaders::MAX_VIEWERS;
use crate::stream::TerrainFrame;
use bevy::math::{DVec3, Mat3, Vec2, Vec4};
use bevy::render::render_resource::ShaderType;

/// The time starts again after so many seconds, so that `f32` has steps of a quarter of a millisecond. What repeats in it repeats a
/// whole number of times.
const HOUR: f64 = 3600.0;

/// The uniform of `terrain_uniform.wesl`: the viewers of this frame and of the previous one, in world coordinates, where maps and the
/// pattern of the ground lie, and what moves with the time.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct TerrainUniform {
    viewer_count: u32,
    previous_viewer_count: u32,
    /// A [`TerrainView`].
    view: u32,
    /// Quads along each side of a chunk.
    pub quads: u32,
    /// The distance between the vertices of the finest level, in metres of the terrain.
    pub spacing: f32,
    /// The terrain's axes in the world, of length 1.
    axes: Mat3,
    /// The distance between the vertices of the finest level in metres; the tangent of the sun's height; metres of the world in a metre
    /// of the terrain; unused.
    far: Vec4,
    /// The time of this frame and of the last one, in seconds modulo an hour; the wind, in m/s along x and z of the world.
    time_and_wind: Vec4,
    /// As [`wave_uniforms`] makes them.
    waves: [Vec4; WAVES],
    pub clouds: CloudUniform,
    /// Of each map of far ground: x and z of its corner, relative to the world origin, and one over its side, in metres along the
    /// terrain's axes; its layer, or -1 without a map.
    pub maps: [Vec4; TEXELS.len()],
    /// The position of the fine pattern of the ground.
    pattern: [LatticeUniform; LATTICES],
    /// The viewers of this frame, then, from index [`MAX_VIEWERS`], those of the previous frame.
    viewers: [ViewerUniform; 2 * MAX_VIEWERS],
}

#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
struct ViewerUniform {
    /// World x and z in metres; square of the height gap; world y.
    position: Vec4,
    /// Start of the morph band and one over its width, for two levels each.
    bands: [Vec4; LEVELS / 2],
}

impl ViewerUniform {
    /// Converts `viewer` to world coordinates. `frame` may rotate about y and scale all axes equally.
    fn new(viewer: &Viewer, frame: &TerrainFrame) -> Self {
        let [x, z] = viewer.xz();
        let local = MorphViewer::new(viewer, [x, z]);
        let position = frame.to_world(DVec3::from_array(viewer.point.position));
        let scale = frame.scale() as f32;
        let band = |pair: usize| {
            let [first, second] = [local.bands[2 * pair], local.bands[2 * pair + 1]]
                .map(|[start, per_metre]| [start * scale, per_metre / scale]);
            Vec4::new(first[0], first[1], second[0], second[1])
        };
        Self {
            position: Vec4::new(position.x, position.z, local.height_gap_squared * scale * scale, position.y),
            bands: std::array::from_fn(band),
        }
    }
}

impl TerrainUniform {
    /// Creates the uniform of a terrain's first frame. The previous viewers are the same as the current ones.
    pub fn new(viewers: &[Viewer], frame: &TerrainFrame, view: TerrainView) -> Self {
        let mut uniform = Self {
            view: view as u32,
            axes: frame.axes(),
            // Until there are maps, the sun is above all hills.
            far: Vec4::new(0.0, 1000.0, frame.scale() as f32, 0.0),
            pattern: lattices(frame),
            ..Self::default()
        };
        if viewers.len() <= MAX_VIEWERS {
            uniform.viewer_count = viewers.len() as u32;
            for (position, viewer) in uniform.viewers.iter_mut().zip(viewers) {
                *position = ViewerUniform::new(viewer, frame);
            }
        }
        uniform.set_previous(&{ uniform });
        uniform
    }

    /// Sets the distance between the vertices of the finest level in metres, and the tangent of the sun's height.
    pub fn set_far_view(&mut self, spacing: f32, sun: f32) {
        (self.far.x, self.far.y) = (spacing, sun);
    }

    /// Sets the time, in seconds after the start, the wind in m/s along x and z of the world, and the strength of waves.
    pub fn set_weather(&mut self, frame: &TerrainFrame, seconds: f64, wind: Vec2, waves: f64) {
        let time = seconds.rem_euclid(HOUR) as f32;
        self.time_and_wind = Vec4::new(time, time, wind.x, wind.y);
        self.waves = wave_uniforms(frame, wind, waves, seconds);
    }

    /// This uniform with the viewers and the time of `before`, the uniform of the previous frame, as its previous ones. `None` if nothing
    /// differs from `before`.
    pub fn after(mut self, before: Option<&Self>) -> Option<Self> {
        if let Some(before) = before {
            self.set_previous(before);
        }
        (before != Some(&self)).then_some(self)
    }

    /// Sets the previous viewers and the previous time to those of `before`.
    fn set_previous(&mut self, before: &Self) {
        self.time_and_wind.y = before.time_and_wind.x;
        self.previous_viewer_count = before.viewer_count;
        self.viewers[MAX_VIEWERS..].copy_from_slice(&before.viewers[..MAX_VIEWERS]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkLayout, ChunkSettings, LodRanges, Morph, ViewerPoint};
    use crate::stream::TerrainOrigin;
    use bevy::math::{Quat, Vec3};
    use bevy::render::render_resource::ShaderSize;
    use bevy::transform::components::{GlobalTransform, Transform};

    fn unmoved() -> TerrainFrame {
        TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::default())
    }

    fn viewer(x: f64, y: f64, z: f64) -> Viewer {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 16, spacing: 1.0 });
        let point = ViewerPoint {
            position: [x, y, z],
            forward: [0.0; 2],
            view_distance: 1e4,
            projection_scale: 1000.0,
            is_orthographic: false,
        };
        let ranges = LodRanges::minimal(&layout, 0);
        Viewer::new(&layout, point, ranges, (-5.0, 5.0))
    }

    /// The arithmetic of the shader.
    fn factor(uniform: &TerrainUniform, level: u8, position: Vec2) -> f32 {
        let one = |viewer: &ViewerUniform| {
            let away = position - Vec2::new(viewer.position.x, viewer.position.y);
            let distance = (away.x * away.x + away.y * away.y + viewer.position.z).sqrt();
            let pair = viewer.bands[usize::from(level) / 2];
            let [start, per_metre] = if level % 2 == 1 { [pair.z, pair.w] } else { [pair.x, pair.y] };
            ((distance - start) * per_metre).clamp(0.0, 1.0)
        };
        uniform.viewers[..uniform.viewer_count as usize].iter().map(one).reduce(f32::min).unwrap_or(0.0)
    }

    #[test]
    fn the_factor_in_world_coordinates_equals_that_in_terrain_coordinates() {
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
            let uniform = TerrainUniform::new(&viewers, &frame, TerrainView::Look);
            let mut between = 0;
            for (level, step) in (0..6).flat_map(|level| (0..200_u8).map(move |step| (level, step))) {
                let position = Vec2::new(f32::from(step) * 8.0 - 900.0, f32::from(step) * -3.0 + 250.0);
                let world = transform.transform_point(Vec3::new(position.x, 12.0, position.y));
                let (expected, here) =
                    (morph.factor(level, position.into()), factor(&uniform, level, Vec2::new(world.x, world.z)));
                // Rounding to f32 at 2500 m is 0.0002 m, and bands are at least 8 m wide.
                assert!((here - expected).abs() < 1e-3, "{here} for {expected} at {position}, level {level}");
                between += usize::from(expected > 0.0 && expected < 1.0);
            }
            assert!(between > 20, "only {between} of the positions lie in a band");
        }
    }

    #[test]
    fn a_viewer_a_million_kilometres_away_is_as_precise_as_at_the_origin() {
        let far = [viewer(1e9 + 100.25, 3.0, -40.5 - 1e9)];
        let near = [viewer(100.25, 3.0, -40.5)];
        let frame = TerrainFrame::new(&GlobalTransform::IDENTITY, TerrainOrigin::new(1e9, -1e9));
        let [here, there] = [(&near, &unmoved()), (&far, &frame)]
            .map(|(viewers, frame)| TerrainUniform::new(viewers, frame, TerrainView::Look));
        assert_eq!(here, there);
    }

    #[test]
    fn the_uniform_keeps_the_viewers_of_the_previous_frame() {
        let (first, second) = ([viewer(0.0, 0.0, 0.0)], [viewer(9.0, 0.0, 0.0), viewer(4.0, 0.0, 4.0)]);
        let frame = unmoved();
        let before = TerrainUniform::new(&first, &frame, TerrainView::Look);
        assert_eq!((before.viewer_count, before.previous_viewer_count), (1, 1));
        let after = TerrainUniform::new(&second, &frame, TerrainView::Levels).after(Some(&before)).expect("a change");
        assert_eq!((after.viewer_count, after.previous_viewer_count, after.view), (2, 1, 1));
        assert_eq!(after.viewers[MAX_VIEWERS], before.viewers[0]);
    }

    #[test]
    fn the_uniform_keeps_the_time_of_the_previous_frame() {
        let at = |seconds| {
            let mut uniform = TerrainUniform::new(&[], &unmoved(), TerrainView::Look);
            uniform.set_weather(&unmoved(), seconds, Vec2::new(1.0, 2.0), 1.0);
            uniform
        };
        let first = at(3599.5).after(None).expect("the first is new");
        assert_eq!(first.time_and_wind, Vec4::new(3599.5, 3599.5, 1.0, 2.0));
        let second = at(3600.5).after(Some(&first)).expect("the time has passed");
        assert_eq!(second.time_and_wind, Vec4::new(0.5, 3599.5, 1.0, 2.0));
        let rested = at(3600.5).after(Some(&second)).expect("the previous time has passed");
        assert_eq!(at(3600.5).after(Some(&rested)), None);
    }

    #[test]
    fn an_unchanged_uniform_is_not_written_again() {
        let uniform = |x| TerrainUniform::new(&[viewer(x, 0.0, 0.0)], &unmoved(), TerrainView::Look);
        let first = uniform(0.0).after(None).expect("the first is new");
        assert_eq!(uniform(0.0).after(Some(&first)), None);
        let moved = uniform(1.0).after(Some(&first)).expect("the viewer has moved");
        let rested = uniform(1.0).after(Some(&moved)).expect("the previous viewer has moved");
        assert_eq!(uniform(1.0).after(Some(&rested)), None);
        let with_map = TerrainUniform { maps: [Vec4::ONE; TEXELS.len()], ..uniform(1.0) };
        assert!(with_map.after(Some(&rested)).is_some());
    }

    #[test]
    fn too_many_viewers_disable_the_morph() {
        let viewers = [viewer(0.0, 0.0, 0.0); MAX_VIEWERS + 1];
        let count = |viewers: &[Viewer]| TerrainUniform::new(viewers, &unmoved(), TerrainView::Look).viewer_count;
        assert_eq!((count(&viewers[1..]), count(&viewers), count(&[])), (16, 0, 0));
    }

    #[test]
    fn the_uniform_fits_any_device() {
        // The minimum that WebGL 2 guarantees.
        assert!(TerrainUniform::SHADER_SIZE.get() <= 16 * 1024);
    }
}
