//! The default layers of the ground.

use super::SurfaceTexture;
use super::surface_layer::{NoiseRange, SlopeRange, SurfaceLayer};
use crate::field::HeightRange;

/// Grass with dry patches and fallen leaves, sand on low ground, rock on steep ground with loose stones at its foot, and snow on high
/// ground.
pub(super) fn default_layers() -> Vec<SurfaceLayer> {
    let layer =
        |name: &str, color, texture| SurfaceLayer { name: name.to_owned(), color, texture, ..SurfaceLayer::default() };
    let patches = |size, from, fade| NoiseRange { size, from, fade, ..NoiseRange::default() };
    let steeper = |from, fade| SlopeRange { from, fade, ..SlopeRange::default() };
    vec![
        layer("grass", [0.30, 0.42, 0.17], SurfaceTexture::Grass),
        SurfaceLayer {
            ragged: 0.0,
            noise: patches(60.0, 0.65, 1.3),
            ..layer("dry grass", [0.45, 0.48, 0.22], SurfaceTexture::Grass)
        },
        SurfaceLayer {
            opacity: 0.33,
            ragged: 0.0,
            noise: patches(6.0, 0.6, 0.4),
            ..layer("forest floor", [0.30, 0.29, 0.16], SurfaceTexture::Leaves)
        },
        SurfaceLayer {
            height: HeightRange { to: -1.0, fade: 6.0, ..HeightRange::default() },
            ..layer("sand", [0.76, 0.68, 0.50], SurfaceTexture::Sand)
        },
        SurfaceLayer {
            slope: steeper(0.58, 0.1),
            noise: patches(40.0, 0.4, 0.8),
            ..layer("scree", [0.51, 0.46, 0.40], SurfaceTexture::Stones)
        },
        SurfaceLayer { slope: steeper(0.69, 0.18), ..layer("rock", [0.42, 0.39, 0.36], SurfaceTexture::Rock) },
        SurfaceLayer {
            height: HeightRange { from: 912.0, fade: 24.0, ..HeightRange::default() },
            // It slides off steeper ground.
            slope: SlopeRange { to: 0.7, fade: 0.27, ..SlopeRange::default() },
            ..layer("snow", [0.95, 0.96, 0.98], SurfaceTexture::Snow)
        },
    ]
}

#[cfg(test)]
mod tests {
    use crate::look::{LookSettings, SurfaceLayers, SurfaceSample};

    #[test]
    fn height_slope_and_noise_choose_the_layer() {
        let layers = SurfaceLayers::new(&LookSettings::default());
        let strongest = |height: f32, slope: f32, noise| {
            let sample =
                SurfaceSample { height, normal: [0.0, slope.cos(), slope.sin()], noise, ..SurfaceSample::default() };
            layers.strongest(&sample).name.clone()
        };
        let at = |height, slope, broad| strongest(height, slope, [broad, 0.0, 0.0, 0.0]);
        assert_eq!(at(300.0, 0.0, -0.4), "grass");
        assert_eq!(at(300.0, 0.0, 0.4), "dry grass");
        assert_eq!(at(-5.0, 0.0, 0.0), "sand");
        assert_eq!(at(300.0, 1.0, 0.0), "rock");
        assert_eq!(at(1500.0, 0.2, 0.0), "snow");
        assert_eq!(at(1500.0, 1.3, 0.0), "rock", "snow slides off");
        assert_eq!(strongest(300.0, 0.55, [0.0, 0.3, 0.0, 0.0]), "scree");
    }
}
