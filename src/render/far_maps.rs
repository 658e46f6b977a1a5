//! Keeps maps of far ground around the camera of each terrain, on the GPU.
//!
//! All of it happens in the render world, since only shaders read the maps: a map is made in a task or, in browsers, in small
//! steps; then it is uploaded in rows into a spare layer of two texture arrays; then the uniform names that layer. One map at a time
//! keeps the work of a frame small. Where ground was edited, a map stays until another one is there.

mod textures;

use super::shown_look::ShownLook;
use crate::field::{FieldArea, HeightField};
use crate::look::far_map::{FarMap, FarMapMaker, TEXELS};
use crate::stream::{Background, TerrainFrame, TerrainState};
use bevy::camera::visibility::RenderLayers;
use bevy::math::DVec3;
use bevy::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub(super) use textures::FarMapTextures;

/// Maps of far ground. The plugin adds this component to every [`Terrain`](crate::stream::Terrain).
///
/// Maps around one viewer, an active camera if there is one, have the normals of far ground, how open it is to the sky, the hills that
/// hide the sun, and its shape. They are made in the background. The field [`far_map_size`](super::TerrainRenderPlugin::far_map_size) of the plugin
/// chooses their size.
#[derive(Component, Clone, Debug, Default)]
pub struct TerrainFarMaps {
    are_complete: Arc<AtomicBool>,
}

impl TerrainFarMaps {
    /// Whether the GPU has all maps of the ground in view.
    ///
    /// False again for a moment when the viewer has moved far, when the sun has moved, or when the ground has changed.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.are_complete.load(Ordering::Relaxed)
    }

    pub(super) fn set_complete(&self, are_complete: bool) {
        self.are_complete.store(are_complete, Ordering::Relaxed);
    }
}

/// The lights of the scene, for the sun.
pub(super) type Lights<'w, 's> = Query<
    'w,
    's,
    (
        &'static DirectionalLight,
        &'static GlobalTransform,
        Option<&'static InheritedVisibility>,
        Option<&'static RenderLayers>,
    ),
>;

/// The area that the maps of a terrain should show.
#[derive(Clone, Debug)]
pub(super) struct FarView {
    field: Arc<HeightField>,
    /// The level of the water. `f32::MIN` without water.
    water: f32,
    center: [f64; 2],
    view_distance: f64,
    /// The distance between the vertices of the finest level, in metres.
    spacing: f64,
    /// The unit vector toward the sun, along the terrain's axes.
    sun: Vec3,
}

impl FarView {
    /// `None` as long as there is no ground or no viewer. `layers` are those of the terrain.
    pub fn new(
        state: &TerrainState,
        look: &ShownLook,
        lights: &Lights,
        frame: &TerrainFrame,
        layers: Option<&RenderLayers>,
    ) -> Option<Self> {
        let viewer = state.requested_viewers().next()?;
        Some(Self {
            field: state.field()?.clone(),
            water: look.water_level().map_or(f32::MIN, |level| level as f32),
            center: viewer.xz(),
            view_distance: viewer.view_distance,
            spacing: state.layout()?.spacing(0),
            sun: sun(lights, frame, layers),
        })
    }

    /// The direction toward the sun along x and z. Zero if the sun is so high that nothing but cliffs hides it.
    fn azimuth(&self) -> Vec2 {
        let level = self.sun.xz();
        if level.length() < 0.17 { Vec2::ZERO } else { level.normalize() }
    }

    /// The spacing; the tangent of the height of the sun, which is limited so that the shader can compute with it.
    pub fn spacing_and_sun(&self) -> Vec2 {
        let rise = self.sun.y / self.sun.xz().length().max(1e-3);
        Vec2::new(self.spacing as f32, rise)
    }

    /// Starts to make a map.
    fn start(&self, number: usize, size: u32) -> Background<FarMap> {
        let mut maker =
            FarMapMaker::new(self.field.clone(), self.center, TEXELS[number], size as usize, self.azimuth().to_array())
                .with_water(self.water);
        Background::start_steps(async move {
            loop {
                if let Some(map) = maker.step() {
                    return map;
                }
                // Chunks of ground are more urgent.
                bevy::tasks::futures_lite::future::yield_now().await;
            }
        })
    }
}

/// The direction toward the brightest light that shines on these layers, along the axes of a terrain. Upward without a light.
fn sun(lights: &Lights, frame: &TerrainFrame, layers: Option<&RenderLayers>) -> Vec3 {
    let layers = layers.unwrap_or_default();
    let shines = |visibility: Option<&InheritedVisibility>, own: Option<&RenderLayers>| {
        visibility.is_none_or(|visibility| visibility.get()) && own.unwrap_or_default().intersects(layers)
    };
    let seen = lights.iter().filter(|&(.., visibility, own)| shines(visibility, own));
    let brightest = seen.max_by(|(a, ..), (b, ..)| a.illuminance.total_cmp(&b.illuminance));
    let toward = brightest.map_or(Vec3::Y, |(_, position, ..)| position.back().as_vec3());
    let along = frame.to_terrain(1000.0 * toward) - frame.to_terrain(Vec3::ZERO);
    along.as_vec3().normalize_or(Vec3::Y)
}

/// The area that a map shows.
struct Subject {
    field: Arc<HeightField>,
    water: f32,
    center: [f64; 2],
    azimuth: Vec2,
    /// Whether the ground on the map was edited since.
    is_edited: bool,
    /// Counts the maps: later ones have higher numbers.
    number: u32,
}

impl Subject {
    fn new(view: &FarView, number: u32) -> Self {
        Self {
            field: view.field.clone(),
            water: view.water,
            center: view.center,
            azimuth: view.azimuth(),
            is_edited: false,
            number,
        }
    }

    /// Whether the map, with a side of `extent` metres, is of the ground of `view`, but for edits. Notes whether there are any.
    fn follow(&mut self, view: &FarView, extent: f64) -> bool {
        if self.has_ground_of(view) {
            return true;
        }
        let Some(edited) = view.field.edited_since(&self.field) else { return false };
        // The map lies a few texels beside its center, and hills around it throw shade into it.
        let own = FieldArea::around(self.center, 0.6 * extent);
        self.is_edited |= edited.iter().any(|area| area.meets(&own));
        self.field = view.field.clone();
        true
    }

    /// Whether the map is of the ground of `view`.
    fn has_ground_of(&self, view: &FarView) -> bool {
        Arc::ptr_eq(&self.field, &view.field)
    }

    /// Whether the map, with a side of `extent` metres, is good enough, but for edits.
    fn is_current(&self, view: &FarView, extent: f64) -> bool {
        let is_near = |axis: usize| (self.center[axis] - view.center[axis]).abs() < extent / 16.0;
        // The width of the sun.
        let is_of_sun = self.azimuth.distance(view.azimuth()) < 0.01;
        self.has_ground_of(view) && self.water == view.water && is_near(0) && is_near(1) && is_of_sun
    }
}

/// The maps that show all ground in view: the finest ones.
fn maps_in_view(view: &FarView, size: u32) -> usize {
    // The shader blends a map out from 0.38 of its side on, and its center may be a sixteenth of it away.
    let reach = |texel: f64| 0.31 * texel * f64::from(size);
    TEXELS.iter().position(|&texel| reach(texel) >= view.view_distance).map_or(TEXELS.len(), |last| last + 1)
}

/// The next map to make: one that is not current, or with `after_edits` also one whose ground was edited. First one without the ground of the view, then the one with the oldest sun, then the oldest
/// one, so that under a fast sun and on ground that somebody edits each has its turn. Among equals the coarsest, because coarse maps show
/// most of the ground and last longest.
fn next_map(shown: &[Option<Subject>], view: &FarView, size: u32, after_edits: bool) -> Option<usize> {
    let is_old = |&number: &usize| {
        let extent = TEXELS[number] * f64::from(size);
        let is_current = |subject: &Subject| subject.is_current(view, extent) && !(after_edits && subject.is_edited);
        !shown[number].as_ref().is_some_and(is_current)
    };
    let age = |number: &usize| {
        let subject = shown[*number].as_ref().filter(|subject| subject.has_ground_of(view));
        subject.map_or((f32::INFINITY, 0), |subject| (subject.azimuth.distance(view.azimuth()), subject.number))
    };
    let is_older = |a: &usize, b: &usize| {
        let ((sun, number), (other_sun, other_number)) = (age(a), age(b));
        sun.total_cmp(&other_sun).then(other_number.cmp(&number))
    };
    (0..maps_in_view(view, size)).filter(is_old).max_by(is_older)
}

/// Where a map lies: x and z of its corner relative to the world origin, along the terrain's axes, and one over its side, in
/// metres; and its layer of the texture arrays.
fn map_uniform(corner: [f64; 2], extent: f64, layer: u32, frame: &TerrainFrame) -> Vec4 {
    let origin: DVec3 = frame.to_terrain(Vec3::ZERO);
    Vec4::new((corner[0] - origin.x) as f32, (corner[1] - origin.z) as f32, extent.recip() as f32, layer as f32)
}

/// In place of a map that is not there.
const NO_MAP: Vec4 = Vec4::new(0.0, 0.0, 0.0, -1.0);

#[cfg(test)]
mod tests;
