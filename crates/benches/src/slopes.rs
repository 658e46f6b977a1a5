//! Values with their gradients on a square, as normals need them.

use crate::ours::{level_name, levels, settings};
use crate::peers::titled;
use crate::space::BlockContender;
use crate::work::{FREQUENCY, LACUNARITY, ORIGIN, PERSISTENCE, SEED};
use bevy_math::Vec2;
use noiz::prelude::common_noise::PerlinWithDerivative;
use noiz::prelude::*;
use perlin_terrain::noise::{FixedCoord, Noise, NoiseScratch, SampleGrid};

/// Samples along a side of the square.
pub const SIDE: usize = 257;

/// The samples of the square.
pub const SAMPLES: usize = SIDE * SIDE;

/// Everybody who can fill the square: all values, then all derivatives along x, then those along y.
#[must_use]
pub fn with_gradients(octaves: u32) -> Vec<BlockContender> {
    let noise = Noise::<2>::seeded(&settings(octaves), u64::from(SEED), 0);
    let grid = SampleGrid::new(ORIGIN, 1.0, [SIDE; 2]);
    let mut contenders: Vec<BlockContender> = levels()
        .map(|level| {
            let (noise, mut scratch) = (noise.clone(), NoiseScratch::default());
            let fill = move |out: &mut [f32]| {
                let (values, [along_x, along_y]) = parts(out);
                noise.fill_with_gradient_with(level, &grid, &mut scratch, values, [along_x, along_y]);
            };
            BlockContender { name: format!("**this crate**, {}", level_name(level)), fill: Box::new(fill) }
        })
        .collect();
    let (alone, mut scratch) = (noise.clone(), NoiseScratch::default());
    contenders.push(BlockContender {
        name: "**this crate**, values alone".to_owned(),
        fill: Box::new(move |out| alone.fill(&grid, &mut scratch, &mut out[..SAMPLES])),
    });
    let single = noise.clone();
    contenders.push(by_points("**this crate**, point by point", move |p| {
        single.value_and_gradient_at(p.map(FixedCoord::from))
    }));
    contenders.push(by_points("**this crate**, point by point, `f64`", move |p| {
        let sample = noise.sample(p);
        (sample.value as f32, sample.gradient.map(|slope| slope as f32))
    }));
    contenders.push(noiz(octaves));
    contenders
}

/// `noiz`, with the same settings as without gradients. Its gradients are not the slopes that differences of its values show.
fn noiz(octaves: u32) -> BlockContender {
    type Sum = LayeredNoise<Normed<WithGradient<f32, Vec2>>, Persistence, FractalLayers<Octave<PerlinWithDerivative>>>;
    let layers = FractalLayers { layer: Octave::default(), lacunarity: LACUNARITY as f32, amount: octaves };
    let mut noise =
        noiz::Noise::<Sum>::from(LayeredNoise::new(Normed::default(), Persistence(PERSISTENCE as f32), layers));
    noise.set_seed(SEED);
    noise.set_frequency(FREQUENCY as f32);
    by_points(&titled("noiz"), move |[x, y]| {
        let WithGradient { value, gradient }: WithGradient<f32, Vec2> = noise.sample(Vec2::new(x as f32, y as f32));
        (value, gradient.to_array())
    })
}

/// Fills the square point by point.
fn by_points(name: &str, sample: impl Fn([f64; 2]) -> (f32, [f32; 2]) + 'static) -> BlockContender {
    let fill = move |out: &mut [f32]| {
        let (values, [along_x, along_y]) = parts(out);
        for (i, ((value, x), y)) in values.iter_mut().zip(along_x).zip(along_y).enumerate() {
            let gradient;
            (*value, gradient) = sample([ORIGIN[0] + (i % SIDE) as f64, ORIGIN[1] + (i / SIDE) as f64]);
            [*x, *y] = gradient;
        }
    };
    BlockContender { name: name.to_owned(), fill: Box::new(fill) }
}

/// The values, and the derivatives along x and y.
fn parts(out: &mut [f32]) -> (&mut [f32], [&mut [f32]; 2]) {
    let (values, gradients) = out.split_at_mut(SAMPLES);
    let (along_x, along_y) = gradients.split_at_mut(SAMPLES);
    (values, [along_x, along_y])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_ours_have_the_slopes_of_their_own_values() {
        let is_ours = |other: &BlockContender| other.name.contains("this crate") && !other.name.contains("alone");
        for mut contender in with_gradients(2).into_iter().filter(is_ours) {
            let mut out = vec![f32::NAN; 3 * SAMPLES];
            (contender.fill)(&mut out);
            let (values, gradients) = parts(&mut out);
            // A step is 1/128 of a cell of the second octave.
            for i in (SIDE + 1..SAMPLES - SIDE - 1).step_by(97) {
                for (along, apart) in gradients.iter().zip([1, SIDE]) {
                    let (column, difference) = (i % SIDE, (values[i + apart] - values[i - apart]) / 2.0);
                    let is_inside = column > 0 && column + 1 < SIDE;
                    let error = (along[i] - difference).abs();
                    assert!(!is_inside || error < 2e-4, "{}, sample {i}: {error}", contender.name);
                }
            }
        }
    }
}
