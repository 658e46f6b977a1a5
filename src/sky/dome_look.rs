//! The material of a dome. What it shows moves with the clouds, so its uniform is written in each frame, and the material stays the same.

use super::camera::{CurrentSky, CurrentSun};
use super::color::exposure;
use super::haze::{GLOW_EXPONENT, HazeColor};
use super::method::SkyMethod;
use super::underwater::CurrentWater;
use crate::light::sun::Sky;
use crate::render::{CloudDrift, CloudLook, CloudTexture, CloudUniform, SKY_DOME, TerrainQuality};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SRes;
use bevy::math::DVec3;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::Extract;
use bevy::render::render_resource::binding_types::{sampler, texture_2d, uniform_buffer};
use bevy::render::render_resource::{
    AsBindGroup, AsBindGroupError, BindGroupBuilder, BindGroupLayout, BindGroupLayoutEntry, RenderPipelineDescriptor,
    SamplerBindingType, ShaderStages, ShaderType, SpecializedMeshPipelineError, TextureSampleType,
    TextureViewDimension, UniformBuffer, UnpreparedBindingResource,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::shader::ShaderRef;

/// The material of the dome of a camera: haze, clouds and, with [`SkyMethod::Dome`], the sky.
#[derive(Asset, TypePath, Clone, Copy, Debug, PartialEq)]
pub(super) struct DomeLook {
    pub camera: Entity,
    pub method: SkyMethod,
    pub quality: TerrainQuality,
}

/// What the dome of a camera shows, but for the drift of clouds.
#[derive(Component, Clone, Debug, PartialEq)]
pub(super) struct DomeColors {
    pub clouds: CloudLook,
    exposure: f64,
    haze: [f64; 3],
    glow: [f64; 3],
    /// The sine of the elevation at which haze hides half of the sky.
    half: f64,
    clear: Sky,
}

/// The layout of the shader: `Dome` in `sky_dome.wesl`.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DomeUniform {
    clouds: CloudUniform,
    haze: Vec4,
    glow: Vec4,
    air: Vec4,
    sunlight: Vec4,
    dusk: Vec4,
}

impl DomeColors {
    fn new(sky: &CurrentSky, sun: CurrentSun, water: Option<&CurrentWater>) -> Self {
        /// Below the surface, the color of the water hides all but what is seen in a circle overhead.
        const IN_WATER: f64 = 0.36;
        let settings = &sky.settings;
        let (haze, glow, half) = match water.and_then(|water| water.0) {
            Some(water) => (water.radiance, [0.0; 3], IN_WATER),
            None => {
                let haze = HazeColor::new(settings);
                (haze.base, haze.glow, half_hidden(settings.visibility_for(sky.view_distance.into())))
            }
        };
        let clouds = CloudLook {
            settings: settings.clouds.clone(),
            radiance: settings.cloud_radiance(),
            toward_sun: sun.0,
            mirrored: 0.0,
        };
        Self { clouds, exposure: exposure(settings), haze, glow, half, clear: Sky::new(settings) }
    }

    fn uniform(&self, drift: &CloudDrift) -> DomeUniform {
        let light = |color: [f64; 3]| (self.exposure * DVec3::from(color)).as_vec3();
        DomeUniform {
            clouds: self.clouds.uniform(drift, self.exposure),
            haze: light(self.haze).extend(self.half as f32),
            glow: light(self.glow).extend(GLOW_EXPONENT),
            air: DVec3::from(self.clear.air).as_vec3().extend(self.clear.below as f32),
            sunlight: light(self.clear.sunlight).extend((self.exposure * self.clear.around) as f32),
            dusk: light(self.clear.dusk).extend(0.0),
        }
    }
}

/// The sine of the elevation at which haze hides half of the sky: of 4 degrees with a visibility of 40 km or less. Haze lies low, so the
/// way through it is shorter the higher one looks.
fn half_hidden(visibility: f64) -> f64 {
    0.072 * (40_000.0 / visibility).min(1.0)
}

type ChangedSky = Or<(Changed<CurrentSky>, Changed<CurrentSun>, Changed<CurrentWater>)>;

/// Gives each camera whose sky has changed the colors of its dome.
pub(super) fn update_colors(
    mut commands: Commands,
    mut cameras: Query<(Entity, &CurrentSky, &CurrentSun, Option<&CurrentWater>, Option<&mut DomeColors>), ChangedSky>,
) {
    for (camera, sky, sun, water, colors) in &mut cameras {
        let new = DomeColors::new(sky, *sun, water);
        match colors {
            Some(mut colors) => *colors = new,
            None => drop(commands.entity(camera).try_insert(new)),
        }
    }
}

/// What each camera's dome shows, for the render world.
#[derive(Resource, Default)]
pub(super) struct ExtractedDomes(EntityHashMap<DomeUniform>);

/// The uniform of each camera's dome. It stays the same buffer, so no bind group changes.
#[derive(Resource, Default)]
pub(super) struct DomeBuffers(EntityHashMap<UniformBuffer<DomeUniform>>);

pub(super) fn extract_domes(
    mut extracted: ResMut<ExtractedDomes>,
    cameras: Extract<Query<(Entity, &DomeColors)>>,
    drift: Extract<Res<CloudDrift>>,
    mut texture: ResMut<CloudTexture>,
) {
    extracted.0.clear();
    for (camera, colors) in &cameras {
        if colors.clouds.settings.cover > 0.0 {
            texture.bake();
        }
        extracted.0.insert(camera, colors.uniform(&drift));
    }
}

/// Creates the resource at startup. Also drops all buffers after the render device was lost.
pub(super) fn reset_dome_buffers(mut commands: Commands) {
    commands.insert_resource(DomeBuffers::default());
}

/// Writes the uniforms that have changed. Runs before materials are prepared, because their bind groups need the buffers.
pub(super) fn write_domes(
    extracted: Res<ExtractedDomes>,
    mut buffers: ResMut<DomeBuffers>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    buffers.0.retain(|camera, _| extracted.0.contains_key(camera));
    for (&camera, &uniform) in &extracted.0 {
        let buffer = buffers.0.entry(camera).or_default();
        if buffer.buffer().is_none() || *buffer.get() != uniform {
            buffer.set(uniform);
            buffer.write_buffer(&device, &queue);
        }
    }
}

/// Not derived, because the material owns neither the buffer nor the texture.
impl AsBindGroup for DomeLook {
    type Data = (TerrainQuality, SkyMethod);
    type Param = (SRes<DomeBuffers>, SRes<CloudTexture>);

    fn label() -> &'static str {
        "terrain_sky"
    }

    fn bind_group_data(&self) -> Self::Data {
        (self.quality, self.method)
    }

    fn build_bind_group(
        &self,
        _: &BindGroupLayout,
        _: &RenderDevice,
        (domes, clouds): &mut SystemParamItem<'_, '_, Self::Param>,
        _: bool,
        output: &mut BindGroupBuilder,
    ) -> Result<(), AsBindGroupError> {
        let buffer = domes.0.get(&self.camera).and_then(UniformBuffer::buffer);
        let buffer = buffer.ok_or(AsBindGroupError::RetryNextUpdate)?.clone();
        let (view, sampler) = clouds.bindings();
        output.binding_resources.extend([
            (0, UnpreparedBindingResource::Buffer(buffer)),
            (1, UnpreparedBindingResource::TextureView(TextureViewDimension::D2, view.clone())),
            (2, UnpreparedBindingResource::Sampler(SamplerBindingType::Filtering, sampler.clone())),
        ]);
        Ok(())
    }

    fn bind_group_layout_entries(_: &RenderDevice, _: bool) -> Vec<BindGroupLayoutEntry> {
        let filterable = TextureSampleType::Float { filterable: true };
        vec![
            uniform_buffer::<DomeUniform>(false).build(0, ShaderStages::FRAGMENT),
            texture_2d(filterable).build(1, ShaderStages::FRAGMENT),
            sampler(SamplerBindingType::Filtering).build(2, ShaderStages::FRAGMENT),
        ]
    }
}

impl Material for DomeLook {
    fn fragment_shader() -> ShaderRef {
        SKY_DOME.into()
    }

    fn alpha_mode(&self) -> AlphaMode {
        match self.method {
            SkyMethod::Dome => AlphaMode::Opaque,
            SkyMethod::Atmosphere => AlphaMode::Blend,
        }
    }

    /// Farther than all else that is transparent, which is drawn over it.
    fn depth_bias(&self) -> f32 {
        match self.method {
            SkyMethod::Dome => 0.0,
            SkyMethod::Atmosphere => -1e6,
        }
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let (quality, method) = key.bind_group_data;
        quality.define(descriptor);
        if let (SkyMethod::Dome, Some(fragment)) = (method, &mut descriptor.fragment) {
            fragment.shader_defs.push("SKY_IS_DOME".into());
        }
        // The camera is within.
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::{Clouds, SkySettings, Sun, SunAngles};
    use crate::render::gpu::Gpu;
    use crate::sky::color::exposed;

    fn colors(cover: f64) -> (CurrentSky, DomeColors) {
        let sun = Sun::Angles(SunAngles { azimuth: 0.0, elevation: 0.2 });
        let clouds = Clouds { cover, ..Clouds::default() };
        let settings = SkySettings { sun, clouds, ..SkySettings::default() };
        let sun = CurrentSun(settings.sun.direction());
        let sky = CurrentSky { settings, view_distance: 8000.0 };
        let colors = DomeColors::new(&sky, sun, None);
        (sky, colors)
    }

    #[test]
    fn the_sky_ends_in_the_haze_of_the_ground_so_no_edge_of_the_world_shows() {
        for (cover, method) in [(0.0, SkyMethod::Atmosphere), (0.4, SkyMethod::Atmosphere), (0.4, SkyMethod::Dome)] {
            let (CurrentSky { settings, .. }, colors) = colors(cover);
            let DomeUniform { haze, glow, .. } = colors.uniform(&CloudDrift::default());
            let fog = HazeColor::new(&settings).fog(&settings, method);
            let light = exposed(&settings, method.sunlight(&settings)).to_linear().to_vec3();
            // Both shaders add the second color with the same power of the cosine between the ray and the sun.
            assert_eq!(glow.w, fog.directional_light_exponent);
            let fog_glow = fog.directional_light_color.to_linear().to_vec3() * light;
            let color = fog.color.to_linear().to_vec3();
            assert!(haze.truncate().distance(color) < 1e-3 * color.length(), "{haze} beside {color}");
            assert!(glow.truncate().distance(fog_glow) < 1e-3 * fog_glow.length(), "{glow} beside {fog_glow}");
            assert!(glow.y > 0.1 * haze.y, "the haze glows toward the sun");
        }
    }

    #[test]
    fn below_a_closed_deck_haze_is_gray_and_does_not_glow() {
        let (_, closed) = colors(1.0);
        let [haze, clouds] = [closed.haze, closed.clouds.radiance.shaded].map(DVec3::from);
        assert!(closed.glow == [0.0; 3] && haze.distance(clouds) < 1e-6 * clouds.length(), "{haze} below {clouds}");
    }

    #[test]
    fn the_clear_sky_is_that_of_rust_at_any_hour() {
        const MAIN: &str = "
            import bevy_perlin_terrain::sky_dome::clear_sky;

            @group(0) @binding(1) var<storage, read> rays: array<vec4<f32>>;
            @group(0) @binding(2) var<storage, read_write> found: array<vec4<f32>>;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if id.x < arrayLength(&rays) {
                    found[id.x] = vec4(clear_sky(rays[id.x].xyz), 0.0);
                }
            }";
        let Some(gpu) = Gpu::find() else { return };
        let rays: Vec<Vec4> = (0..1000_u16)
            .map(|number| {
                let y = 1.0 - 1.2 * f32::from(number) / 1000.0;
                (Vec2::from_angle(f32::from(number) * 2.4) * (1.0 - y * y).max(0.0).sqrt()).extend(y).xzy().extend(0.0)
            })
            .collect();
        for elevation in [1.2, 0.3, 0.01, -0.03, -0.2] {
            let sun = Sun::Angles(SunAngles { azimuth: 2.0, elevation });
            let settings = SkySettings { sun, ..SkySettings::default() };
            let sun = CurrentSun(settings.sun.direction());
            let sky = CurrentSky { settings: settings.clone(), view_distance: 8000.0 };
            let uniform = DomeColors::new(&sky, sun, None).uniform(&CloudDrift::default());
            let found: Vec<Vec4> = gpu.compute(MAIN, 0, &uniform, &rays);
            for (ray, found) in rays.iter().zip(found) {
                let direction = ray.xyz().with_y(ray.y.max(0.0)).as_dvec3().to_array();
                let color = exposed(&settings, settings.radiance(direction)).to_linear().to_vec3();
                let error = found.truncate().distance(color) / color.length();
                assert!(error < 1e-3, "{found} in place of {color} toward {ray}, with the sun at {elevation} rad");
            }
        }
    }

    /// How much of the sky haze hides in directions with these sines of their elevation.
    fn opacities(gpu: &Gpu, half: f64, sines: &[f32]) -> Vec<f32> {
        const MAIN: &str = "
import bevy_perlin_terrain::sky_dome::haze_opacity;

@group(0) @binding(1) var<storage, read> sines: array<f32>;
@group(0) @binding(2) var<storage, read_write> found: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&sines) {
        found[id.x] = haze_opacity(sines[id.x]);
    }
}
";
        let uniform = DomeUniform { haze: Vec4::new(0.0, 0.0, 0.0, half as f32), ..DomeUniform::default() };
        gpu.compute(MAIN, 0, &uniform, sines)
    }

    #[test]
    fn haze_is_clear_high_up_fades_in_small_steps_and_lies_the_lower_the_clearer_the_air() {
        let Some(gpu) = Gpu::find() else { return };
        let sines: Vec<f32> = (-20..1000).map(|i| i as f32 * 0.001).collect();
        let hazy = opacities(&gpu, half_hidden(8000.0), &sines);
        assert!(hazy.windows(2).all(|pair| (-1e-6..0.02).contains(&(pair[0] - pair[1]))), "{hazy:?}");
        assert!(hazy[0] == 1.0 && hazy[20] == 1.0 && hazy[hazy.len() - 1] < 0.01);
        for visibility in [8000.0, 400_000.0] {
            let half = half_hidden(visibility);
            assert!((opacities(&gpu, half, &[half as f32])[0] - 0.5).abs() < 1e-3, "{visibility}");
        }
        assert!(half_hidden(400_000.0) < 0.2 * half_hidden(8000.0));
    }
}
