//! The cameras that have a sky.

#[cfg(feature = "hot_reload")]
use crate::asset::HasSettings;
use crate::asset::SettingsAsset;
use crate::light::SkySettings;
use crate::settings::{SettingsError, SettingsProblem, joined};
use crate::stream::{Faults, TerrainViewer};
use bevy::camera::Exposure;
use bevy::light::EnvironmentMapLight;
use bevy::pbr::AtmosphereSettings;
use bevy::post_process::bloom::Bloom;
use bevy::prelude::*;
use bevy::render::view::{ColorGrading, ColorGradingGlobal, ColorGradingSection};

/// Gives a camera the sky with the settings of this handle: sky, clouds, haze, light from all sides, and exposure.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_perlin_terrain::prelude::*;
/// use bevy_perlin_terrain::sky::TerrainSky;
///
/// fn spawn_camera(mut commands: Commands, assets: Res<AssetServer>) {
///     let projection = PerspectiveProjection { far: 40_000.0, ..default() };
///     commands.spawn((
///         Camera3d::default(),
///         Projection::from(projection),
///         TerrainViewer { view_distance: 8000.0 },
///         TerrainSky(assets.load("sky/morning.sky.ron")),
///     ));
/// }
/// ```
///
/// The default handle means the default settings. They hold too while the first file of a camera is not loaded; while another one loads,
/// the sky stays as it is. A broken file changes nothing: the log says what is wrong, with line and column, and the last valid settings stay.
///
/// The plugin gives the camera what it needs: [`Exposure`] and [`ColorGrading`] by the settings, a dome with clouds, haze and
/// sky that no other camera sees, and, where it has none of its own, [`DistanceFog`], [`EnvironmentMapLight`], [`AtmosphereSettings`], [`Bloom`] for the sun's disc and an
/// [`AmbientLight`] of 0, in place of the global one. Before Bevy's atmosphere, which lets through what is behind it, the default clear color
/// becomes black.
///
/// The sun, the [wind](crate::render::TerrainWind) and the shade of clouds are those of one camera for all: of an active one. Clouds shade
/// only what a sun with shadow maps lights, as the plugin's own sun does.
///
/// Settings from code with a value out of its range change nothing: the last valid ones stay, and the log says which value is wrong.
///
/// While the hour of the settings runs, the sun moves in every frame; the colors of sky, haze and light follow when it has moved by
/// 0.02 degrees.
///
/// With Bevy's atmosphere, it switches multisampling off, because haze is wrong at edges with it. In its place, cameras with a
/// perspective get [`TemporalAntiAliasing`] with [`TerrainQuality::High`], and all others get [`Smaa`]. A camera that has one of
/// these, [`Fxaa`] or a [`TemporalJitter`] before it gets this component keeps it: take `Smaa` for an image of a few frames, or if
/// something in your game leaves trails because it has no motion vectors.
///
/// With `Tonemapping::None`, Bevy ignores the color grading, so contrast and saturation have no effect: use `Tonemapping::Linear`.
///
/// Removing this component takes the fog, the lights, the dome and the anti-aliasing away that the plugin gave, and leaves the rest.
///
/// [`Smaa`]: bevy::anti_alias::smaa::Smaa
/// [`Fxaa`]: bevy::anti_alias::fxaa::Fxaa
/// [`TemporalAntiAliasing`]: bevy::anti_alias::taa::TemporalAntiAliasing
/// [`TemporalJitter`]: bevy::render::camera::TemporalJitter
/// [`TerrainQuality::High`]: crate::render::TerrainQuality::High
#[derive(Component, Clone, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct TerrainSky(pub Handle<SkySettings>);

impl SettingsAsset for SkySettings {
    const FILE_EXTENSION: &'static str = Self::FILE_EXTENSION;

    fn from_text(text: &str) -> Result<Self, SettingsError> {
        Self::from_ron(text)
    }
}

#[cfg(feature = "hot_reload")]
impl HasSettings<SkySettings> for TerrainSky {
    fn settings(&self) -> &Handle<SkySettings> {
        &self.0
    }
}

/// The current settings of a camera. Their sun moves in [steps](SUN_STEP): what depends on them is made again after each.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub(super) struct CurrentSky {
    pub settings: SkySettings,
    /// How far the camera sees the ground, in metres.
    pub view_distance: f32,
}

/// The unit vector toward the sun of a camera in this frame.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CurrentSun(pub [f64; 3]);

/// The colors of a sky are made again when its sun has moved so far, in radians: 0.02 degrees, over which they change by 1 % at dusk
/// and by less in daylight.
const SUN_STEP: f64 = 3.5e-4;

/// The components that the plugin gave a camera, and takes away again. Those that the camera had itself stay.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct GivenBySky {
    pub fog: bool,
    pub environment: bool,
    pub atmosphere: bool,
    /// Black, in place of the default clear color.
    pub clear_color: bool,
    ambient: bool,
}

/// Prepares new cameras.
pub(super) fn prepare_camera(sky: On<Add<TerrainSky>>, cameras: Query<EntityRef>, mut commands: Commands) {
    let Ok(before) = cameras.get(sky.entity) else { return };
    let mut camera = commands.entity(sky.entity);
    camera.insert((Exposure::default(), ColorGrading::default()));
    let given = GivenBySky {
        fog: !before.contains::<DistanceFog>(),
        environment: !before.contains::<EnvironmentMapLight>(),
        atmosphere: !before.contains::<AtmosphereSettings>(),
        clear_color: false,
        ambient: !before.contains::<AmbientLight>(),
    };
    camera.insert(given);
    if given.ambient {
        // Bevy's ambient light would outshine a sky at dusk.
        camera.insert(AmbientLight { brightness: 0.0, ..default() });
    }
    if !before.contains::<Bloom>() {
        camera.insert(Bloom::NATURAL);
    }
}

/// A part of the sky of a camera: its atmosphere or its dome.
#[derive(Component)]
#[relationship(relationship_target = SkyParts)]
pub(super) struct SkyOf(pub Entity);

/// Despawns the sky with its camera.
#[derive(Component)]
#[relationship_target(relationship = SkyOf, linked_spawn)]
pub(super) struct SkyParts(Vec<Entity>);

/// Takes the sky from cameras that lost it.
pub(super) fn release_camera(sky: On<Remove<TerrainSky>>, mut commands: Commands) {
    let camera = sky.entity;
    commands.queue(move |world: &mut World| {
        // A camera that is despawned takes its parts along.
        if let Ok(mut camera) = world.get_entity_mut(camera) {
            camera.remove::<(CurrentSky, CurrentSun)>().despawn_related::<SkyParts>();
            let Some(given) = camera.take::<GivenBySky>() else { return };
            if given.fog {
                camera.remove::<DistanceFog>();
            }
            if given.environment {
                camera.remove::<EnvironmentMapLight>();
            }
            if given.atmosphere {
                camera.remove::<AtmosphereSettings>();
            }
            if given.ambient {
                camera.remove::<AmbientLight>();
            }
            // Unless the game has chosen another one since.
            if given.clear_color
                && let Some(mut camera) = camera.get_mut::<Camera>()
                && matches!(camera.clear_color, ClearColorConfig::Custom(color) if color == Color::BLACK)
            {
                camera.clear_color = ClearColorConfig::Default;
            }
        }
    });
}

/// Applies the settings of each camera.
pub(super) fn update_settings(
    mut commands: Commands,
    assets: Res<Assets<SkySettings>>,
    mut cameras: Query<(
        Entity,
        Ref<TerrainSky>,
        Option<&TerrainViewer>,
        Option<&Projection>,
        Option<(&mut CurrentSky, &mut CurrentSun)>,
    )>,
    mut faults: Local<Faults<Entity>>,
) {
    for (camera, sky, viewer, projection, before) in &mut cameras {
        let distances = [viewer.map(|viewer| viewer.view_distance), projection.map(|projection| projection.far())];
        let view_distance = distances.into_iter().flatten().find(|distance| distance.is_finite() && *distance > 0.0);
        let view_distance = view_distance.unwrap_or(8000.0);
        let is_new = before.is_none() || assets.is_changed() || sky.is_changed();
        let is_default = before.is_none() || sky.is_changed() && sky.0 == Handle::default();
        let default = is_default.then(SkySettings::default);
        let found = assets.get(&sky.0).or(default.as_ref()).filter(|_| is_new);
        let problem = found.and_then(|settings| settings.validate().err());
        if is_new
            && faults.begins(camera, problem.is_some())
            && let Some(errors) = &problem
        {
            let problems: Vec<SettingsProblem> = errors.iter().cloned().map(SettingsProblem::from).collect();
            warn!("the sky of the camera {camera} keeps its last valid settings: {}", joined(&problems, "; "));
        }
        let found = found.filter(|_| problem.is_none()).cloned();
        let Some((mut current, mut sun)) = before else {
            let settings = found.unwrap_or_default();
            let sun = CurrentSun(settings.sun.direction());
            commands.entity(camera).try_insert((CurrentSky { settings, view_distance }, sun));
            continue;
        };
        let mut wanted =
            CurrentSky { settings: found.clone().unwrap_or_else(|| current.settings.clone()), view_distance };
        if let Some(settings) = found {
            sun.set_if_neq(CurrentSun(settings.sun.direction()));
            if distance(sun.0, current.settings.sun.direction()) < SUN_STEP {
                wanted.settings.sun = current.settings.sun.clone();
            }
        }
        current.set_if_neq(wanted);
    }
}

/// The distance between two positions.
fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Sets exposure and colors of each camera with new settings.
pub(super) fn expose(mut cameras: Query<(&CurrentSky, &mut Exposure, &mut ColorGrading), Changed<CurrentSky>>) {
    for (sky, mut exposure, mut grading) in &mut cameras {
        let settings = &sky.settings;
        exposure.ev100 = settings.exposure_value() as f32;
        let section = power(settings.contrast);
        // Daylight is white, as cameras have it: sunlight of a high sun behind clear air has these distances from white in the
        // chromaticities x and y.
        let global = ColorGradingGlobal {
            temperature: -0.015,
            tint: 0.014,
            post_saturation: settings.saturation as f32,
            ..default()
        };
        *grading = ColorGrading { global, shadows: section, midtones: section, highlights: section };
    }
}

/// Contrast as a power that keeps middle gray, so that no color is lost in the dark: Bevy's own is a factor on both sides of 0.5, and
/// all below a few per cent becomes black.
fn power(contrast: f64) -> ColorGradingSection {
    const MIDDLE_GRAY: f64 = 0.18;
    let gain = MIDDLE_GRAY.powf(1.0 / contrast - 1.0);
    ColorGradingSection { gain: gain as f32, gamma: (1.0 / contrast) as f32, ..default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_keeps_middle_gray_and_loses_no_color_in_the_dark() {
        for contrast in [0.5, 1.0, 1.2, 2.0] {
            let section = power(contrast);
            // The formula of Bevy's shader.
            let graded = |color: f32| {
                let color = 0.5 + (color - 0.5) * section.contrast;
                (color * section.gain + section.lift).powf(1.0 / section.gamma)
            };
            assert!((graded(0.18) - 0.18).abs() < 1e-3, "{} at {contrast}", graded(0.18));
            let ratio = graded(0.002) / graded(0.001);
            assert!((f64::from(ratio).log2() - contrast).abs() < 1e-2, "{ratio} at {contrast}");
        }
    }
}
