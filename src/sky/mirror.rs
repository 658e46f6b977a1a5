//! The sky that shiny surfaces mirror, such as water: a cube with the colors of the sky, in copies of growing roughness.
//!
//! It takes the place of the gradient as the specular map of a camera's light from all sides. It is made in a task; until it is whole and on
//! the GPU, the camera keeps the map that it has.

use super::camera::{CurrentSky, GivenBySky};
use super::cube::{Texels, cube_image};
use crate::light::SkySettings;
use crate::light::sun::{Sky, luminance, mixed};
use crate::stream::Background;
use bevy::light::EnvironmentMapLight;
use bevy::prelude::*;
use bevy::tasks::futures_lite::future::yield_now;
use std::f32::consts::TAU;

/// The side of a face in texels.
const SIDE: usize = 32;

/// The number of mip levels: the roughness grows from 0 to 1 in even steps.
const MIPS: usize = 6;

/// How many directions of the sky a texel of a rough mip level takes together.
const SAMPLES: usize = 64;

/// A new image is on the GPU after so many frames. Without it, Bevy would draw no light from all sides.
const FRAMES_TO_GPU: u8 = 2;

/// The sky of a camera as its surfaces mirror it.
#[derive(Component, Default)]
pub(super) struct Mirror {
    /// The settings of the newest map, or of the one that is being made.
    of: Option<SkySettings>,
    task: Background<(Image, f32)>,
    next: Option<NextMap>,
    brightness: f32,
}

/// A map that is whole, and on its way to the GPU.
struct NextMap {
    image: Handle<Image>,
    brightness: f32,
    frames: u8,
}

impl Mirror {
    /// How much brighter the map is than the sky.
    pub const fn brightness(&self) -> f32 {
        self.brightness
    }
}

/// Makes the map of each camera whose sky has changed. One task at a time for each camera: while the sun moves, the maps follow it as fast
/// as they are made.
pub(super) fn update_mirrors(
    mut commands: Commands,
    mut cameras: Query<(Entity, &CurrentSky, &GivenBySky, Option<&mut Mirror>, Option<&mut EnvironmentMapLight>)>,
    mut images: ResMut<Assets<Image>>,
) {
    for (camera, sky, _, mirror, light) in cameras.iter_mut().filter(|(_, _, given, ..)| given.environment) {
        let Some(mut mirror) = mirror else {
            commands.entity(camera).try_insert(Mirror::default());
            continue;
        };
        let coming = mirror.bypass_change_detection();
        if let Some((image, brightness)) = coming.task.take() {
            coming.next = Some(NextMap { image: images.add(image), brightness, frames: FRAMES_TO_GPU });
        } else if let Some(next) = &mut coming.next {
            next.frames -= 1;
        }
        if let Some(NextMap { image, brightness, .. }) = coming.next.take_if(|next| next.frames == 0) {
            if let Some(mut light) = light {
                light.specular_map = image;
            }
            mirror.brightness = brightness;
        }
        let mirror = mirror.bypass_change_detection();
        let settings = colors_of(&sky.settings);
        if !mirror.task.is_running() && mirror.next.is_none() && mirror.of.as_ref() != Some(&settings) {
            mirror.of = Some(settings.clone());
            mirror.task = Background::start_steps(async move { made(&settings).await });
        }
    }
}

/// The settings without those that change no color of the sky.
fn colors_of(settings: &SkySettings) -> SkySettings {
    let SkySettings { visibility, wind, exposure, contrast, saturation, .. } = SkySettings::default();
    SkySettings { visibility, wind, exposure, contrast, saturation, ..settings.clone() }
}

/// The map of a sky, in cd/m², and how much brighter it is than the sky.
async fn made(settings: &SkySettings) -> (Image, f32) {
    let (sharp, brightness) = sharp(settings).await;
    let mut mips = vec![sharp];
    for mip in 1..MIPS {
        let mut level = Texels::new();
        for face in 0..6 {
            level.extend(rough_face(&mips[0], face, mip));
            // Chunks of ground are more urgent.
            yield_now().await;
        }
        mips.push(level);
    }
    (cube_image(SIDE, &mips), brightness)
}

/// The sky without roughness, and the ground below it, in cd/m². Clouds are everywhere, as much as they hide on the whole.
///
/// The colors are those of the sky. All are multiplied by the second result, so that the light on level ground is `SkySettings::skylight`.
async fn sharp(settings: &SkySettings) -> (Texels, f32) {
    let (sky, ground) = (Sky::new(settings), settings.ground_radiance());
    let (cover, clouds) = (settings.clouds.cover, settings.cloud_radiance().mean());
    let above = |direction: [f64; 3]| mixed(sky.radiance(direction), clouds, cover);
    let mut texels = Texels::new();
    for direction in directions(SIDE) {
        let [x, y, z] = direction.as_dvec3().to_array();
        let color = if y < 0.0 { ground } else { above([x, y, z]) };
        texels.push(Vec3::from_array(color.map(|part| part as f32)));
        if texels.len().is_multiple_of(512) {
            yield_now().await;
        }
    }
    let brightness = settings.skylight() as f32 / on_level_ground(&texels).max(1e-9);
    for (direction, texel) in directions(SIDE).zip(&mut texels) {
        if direction.y >= 0.0 {
            *texel *= brightness;
        }
    }
    (texels, brightness)
}

/// The light that arrives on level ground, in lux: integrated over the solid angles of the texels.
fn on_level_ground(texels: &Texels) -> f32 {
    let of_texel = |(direction, texel): (Vec3, &Vec3)| {
        let across = 2.0 / SIDE as f32;
        let solid_angle = across * across * direction.abs().max_element().powi(3);
        luminance(texel.as_dvec3().to_array()) as f32 * direction.y.max(0.0) * solid_angle
    };
    directions(SIDE).zip(texels).map(of_texel).sum()
}

/// A face of a mip level: each texel is the mean of what a surface with its roughness mirrors, seen straight on. Source: Karis, Real
/// shading in Unreal Engine 4, 2013.
fn rough_face(sharp: &Texels, face: usize, mip: usize) -> Texels {
    let side = SIDE >> mip;
    let perceptual = mip as f32 / (MIPS - 1) as f32;
    let alpha = perceptual * perceptual;
    directions(side)
        .skip(face * side * side)
        .take(side * side)
        .map(|normal| {
            let (across, along) = normal.any_orthonormal_pair();
            let (mut sum, mut whole) = (Vec3::ZERO, 0.0);
            for sample in 0..SAMPLES {
                // Hammersley's points, which are spread evenly.
                let part = (sample as f32 + 0.5) / SAMPLES as f32;
                let turn = TAU * ((sample as u32).reverse_bits() as f32 / 2.0_f32.powi(32));
                let cosine = ((1.0 - part) / (1.0 + (alpha * alpha - 1.0) * part)).sqrt();
                let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
                let half = normal * cosine + (across * turn.cos() + along * turn.sin()) * sine;
                let light = 2.0 * cosine * half - normal;
                let weight = normal.dot(light);
                if weight > 0.0 {
                    sum += weight * look_up(sharp, light);
                    whole += weight;
                }
            }
            sum / whole.max(1e-6)
        })
        .collect()
}

/// The directions of the texels of a cube in the world: face by face, then row by row.
fn directions(side: usize) -> impl Iterator<Item = Vec3> {
    (0..6 * side * side).map(move |texel| {
        let (face, row, column) = (texel / (side * side), texel / side % side, texel % side);
        let [u, v] = [column, row].map(|i| (2 * i + 1) as f32 / side as f32 - 1.0);
        let direction = match face {
            0 => Vec3::new(1.0, -v, -u),
            1 => Vec3::new(-1.0, -v, u),
            2 => Vec3::new(u, 1.0, v),
            3 => Vec3::new(u, -1.0, -v),
            4 => Vec3::new(u, -v, 1.0),
            _ => Vec3::new(-u, -v, -1.0),
        };
        // Cubes are left-handed.
        (direction * Vec3::new(1.0, 1.0, -1.0)).normalize()
    })
}

/// The texel that lies in a direction.
fn look_up(texels: &Texels, direction: Vec3) -> Vec3 {
    let d = direction * Vec3::new(1.0, 1.0, -1.0);
    let size = d.abs();
    let (face, u, v) = if size.x >= size.y && size.x >= size.z {
        if d.x > 0.0 { (0, -d.z / size.x, -d.y / size.x) } else { (1, d.z / size.x, -d.y / size.x) }
    } else if size.y >= size.z {
        if d.y > 0.0 { (2, d.x / size.y, d.z / size.y) } else { (3, d.x / size.y, -d.z / size.y) }
    } else if d.z > 0.0 {
        (4, d.x / size.z, -d.y / size.z)
    } else {
        (5, -d.x / size.z, -d.y / size.z)
    };
    let index = |part: f32| (((part + 1.0) * 0.5 * SIDE as f32) as usize).min(SIDE - 1);
    texels[(face * SIDE + index(v)) * SIDE + index(u)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::light::{Clouds, Sun, SunAngles};
    use bevy::math::DVec3;
    use bevy::tasks::block_on;

    fn sky(elevation: f64) -> SkySettings {
        SkySettings { sun: Sun::Angles(SunAngles { azimuth: 1.0, elevation }), ..SkySettings::default() }
    }

    #[test]
    fn level_ground_gets_the_light_of_the_sky() {
        for elevation in [1.2, 0.3, 0.0, -0.1, -1.0] {
            let settings = sky(elevation);
            let (texels, _) = block_on(sharp(&settings));
            // Integrated over directions that are spread evenly.
            let (count, mut light) = (20_000, Vec3::ZERO);
            for i in 0..count {
                let height = (i as f32 + 0.5) / count as f32;
                let turn = i as f32 * 2.399_963;
                let across = (1.0 - height * height).sqrt();
                light += height * look_up(&texels, Vec3::new(across * turn.cos(), height, across * turn.sin()));
            }
            let lux = TAU / count as f32 * luminance(light.as_dvec3().to_array()) as f32;
            let found = lux / settings.skylight() as f32;
            assert!((found - 1.0).abs() < 0.05, "{found} at {elevation}");
        }
    }

    #[test]
    fn between_mirrored_clouds_the_sky_is_clear() {
        for (elevation, cover) in [(0.6, 0.4), (0.2, 0.4), (1.0, 0.8), (0.6, 0.0)] {
            let settings = SkySettings { clouds: Clouds { cover, ..Clouds::default() }, ..sky(elevation) };
            let (texels, brightness) = block_on(sharp(&settings));
            let mean = DVec3::from(settings.cloud_radiance().mean()).as_vec3();
            for (direction, texel) in directions(SIDE).zip(&texels).filter(|(direction, _)| direction.y > 0.2) {
                // The arithmetic of the shader of water, where no cloud is.
                let gap = (*texel - brightness * cover as f32 * mean) / (1.0 - cover as f32);
                let clear = DVec3::from(settings.radiance(direction.as_dvec3().into())).as_vec3() * brightness;
                assert!(gap.distance(clear) < 1e-2 * clear.length(), "{gap} for {clear} toward {direction}");
            }
        }
    }

    #[test]
    fn each_texel_is_found_in_its_direction() {
        let numbers: Texels = (0..6 * SIDE * SIDE).map(|number| Vec3::splat(number as f32)).collect();
        for (direction, number) in directions(SIDE).zip(&numbers) {
            assert_eq!(look_up(&numbers, direction), *number);
        }
        let zenith = look_up(&directions(SIDE).collect(), Vec3::Y);
        assert!(zenith.y > 0.99);
    }

    #[test]
    fn rough_surfaces_mirror_a_smoother_sky_of_the_same_brightness() {
        let (sharp, _) = block_on(sharp(&sky(0.3)));
        let contrast = |texels: &Texels| {
            let up: Vec<f32> = texels.iter().map(|texel| texel.y).collect();
            let most = up.iter().copied().fold(0.0, f32::max);
            most / (up.iter().sum::<f32>() / up.len() as f32)
        };
        let mut before = contrast(&sharp);
        for mip in 1..MIPS {
            let level: Texels = (0..6).flat_map(|face| rough_face(&sharp, face, mip)).collect();
            assert_eq!(level.len(), 6 * (SIDE >> mip).pow(2));
            let now = contrast(&level);
            assert!(now < before * 1.05, "level {mip}: {now} after {before}");
            before = now;
        }
        assert!(before < 0.7 * contrast(&sharp));
    }

    #[test]
    fn the_image_has_all_levels_and_numbers_that_are_finite() {
        let (image, _) = block_on(made(&sky(0.01)));
        let texels: usize = (0..MIPS).map(|mip| (SIDE >> mip).pow(2)).sum();
        let data = image.data.expect("it has texels");
        assert_eq!(data.len(), 6 * texels * 8);
        let is_finite = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]) & 0x7C00 != 0x7C00;
        assert!(data.chunks(2).all(is_finite));
    }
}
