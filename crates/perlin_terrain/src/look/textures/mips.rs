//! Textures in the layout of the GPU, with all their smaller versions.

use super::surface::Surface;

/// The mip levels of a texture, from the finest to a single texel. Each texel has four bytes, in up to two images:
///
/// - color, of textures close up: factors of the layer's color, where 128 is 1, and the height, where 128 is the mean.
/// - relief: slopes along x and z, where 128 is 0 and 255 is [`STEEPEST`]; then, close up, the perceptual roughness, and how open
///   the texel is to the sky; from afar, a factor of the color, where 128 is 1, and how much redder than blue it is, where 128
///   is 0 and 255 is [`WARMEST`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextureMips {
    pub color: Vec<u8>,
    pub relief: Vec<u8>,
}

/// The slope of the largest byte.
pub const STEEPEST: f32 = 2.0;

/// The warmth of the largest byte: the part by which red is stronger than green, and blue weaker.
pub const WARMEST: f32 = 0.5;

/// The number of mip levels of a texture.
pub const fn mip_levels(size: usize) -> u32 {
    size.ilog2() + 1
}

/// Means over a texel.
#[derive(Clone, Copy)]
struct Texel {
    color: [f32; 4],
    slopes: [f32; 2],
    /// The mean of the squares of both slopes.
    squares: f32,
    /// The square of the GGX roughness, which adds up.
    rough: f32,
    open: f32,
}

impl TextureMips {
    /// Both images.
    pub(super) fn close_up(surface: &Surface) -> Self {
        let mut mips = Self::default();
        each_texel(surface, |texel| mips.push_close_up(texel));
        mips
    }

    /// The relief alone.
    pub(super) fn from_afar(surface: &Surface) -> Self {
        let mut mips = Self::default();
        each_texel(surface, |texel| mips.push_from_afar(texel));
        mips
    }

    fn push_close_up(&mut self, texel: &Texel) {
        self.color.extend(texel.color.map(byte));
        let [x, z] = texel.slopes.map(|slope| signed_byte(slope / STEEPEST));
        // Slopes that a texel no longer shows scatter light: the variances of both directions add to the square of the roughness.
        let [along, across] = texel.slopes;
        let hidden = (texel.squares - along * along - across * across).max(0.0);
        let roughness = (texel.rough + hidden).min(1.0).powf(0.25);
        self.relief.extend([x, z, byte(roughness), byte(texel.open)]);
    }

    fn push_from_afar(&mut self, texel: &Texel) {
        let [x, z] = texel.slopes.map(|slope| signed_byte(slope / STEEPEST));
        let [red, green, blue, _] = texel.color;
        let warmth = (red - blue) / (2.0 * green);
        self.relief.extend([x, z, byte(green), signed_byte(warmth / WARMEST)]);
    }

    /// The single texel of the last level, of both images.
    #[cfg(test)]
    pub(super) fn last(&self) -> (Option<[u8; 4]>, [u8; 4]) {
        (self.color.last_chunk().copied(), *self.relief.last_chunk().expect("a level has a texel"))
    }

    /// The mean of the finest level's relief.
    #[cfg(test)]
    pub(super) fn first_relief_mean(&self) -> [u8; 4] {
        let texels = self.relief.len() / 4 * 3 / 4;
        std::array::from_fn(|channel| {
            let sum: usize = self.relief.chunks(4).take(texels).map(|texel| usize::from(texel[channel])).sum();
            (sum / texels) as u8
        })
    }
}

impl Texel {
    fn mean(four: [Self; 4]) -> Self {
        let mean = |part: fn(&Self) -> f32| four.iter().map(part).sum::<f32>() / 4.0;
        Self {
            color: std::array::from_fn(|i| four.iter().map(|texel| texel.color[i]).sum::<f32>() / 4.0),
            slopes: [mean(|texel| texel.slopes[0]), mean(|texel| texel.slopes[1])],
            squares: mean(|texel| texel.squares),
            rough: mean(|texel| texel.rough),
            open: mean(|texel| texel.open),
        }
    }
}

/// Passes on all texels, level by level, row by row.
fn each_texel(surface: &Surface, mut each: impl FnMut(&Texel)) {
    let size = surface.size;
    let deviation = (surface.height.iter().map(|height| height * height).sum::<f32>() / (size * size) as f32).sqrt();
    let lower = lowness(surface);
    let mut texels: Vec<Texel> = (0..size * size)
        .map(|i| {
            let [red, green, blue] = surface.tint[i];
            // Three deviations fill the range.
            let height = 0.5 + surface.height[i] / (6.0 * deviation.max(1e-9));
            let slopes = surface.slopes(i % size, i / size).map(|slope| slope.clamp(-STEEPEST, STEEPEST));
            Texel {
                color: [red / 2.0, green / 2.0, blue / 2.0, height],
                slopes,
                squares: slopes[0] * slopes[0] + slopes[1] * slopes[1],
                rough: surface.roughness[i].powi(4),
                open: 1.0 - (0.45 * lower[i] / deviation.max(1e-9)).clamp(0.0, 0.8),
            }
        })
        .collect();
    let mut size = size;
    loop {
        texels.iter().for_each(&mut each);
        if size == 1 {
            return;
        }
        size /= 2;
        texels = (0..size * size)
            .map(|i| {
                let first = i / size * 4 * size + i % size * 2;
                Texel::mean([first, first + 1, first + 2 * size, first + 2 * size + 1].map(|i| texels[i]))
            })
            .collect();
    }
}

/// A part from 0 to 1 in a byte.
fn byte(part: f32) -> u8 {
    (part * 255.0 + 0.5).clamp(0.0, 255.0) as u8
}

/// A number from -1 to 1 in a byte. 0 is 128.
fn signed_byte(number: f32) -> u8 {
    byte(0.5 + number / 2.0 * 254.0 / 255.0)
}

/// How much lower each texel is than its surroundings.
fn lowness(surface: &Surface) -> Vec<f32> {
    let size = surface.size;
    let reach = (size / 48).max(1);
    let width = (2 * reach + 1) as f32;
    // Means along the rows, then along the columns of these.
    let blur = |values: &[f32], at: fn(usize, usize, usize) -> usize| {
        let mut result = vec![0.0; values.len()];
        for line in 0..size {
            let mut sum: f32 = (0..=2 * reach).map(|i| values[at(line, (i + size - reach) % size, size)]).sum();
            for i in 0..size {
                result[at(line, i, size)] = sum / width;
                sum +=
                    values[at(line, (i + reach + 1) % size, size)] - values[at(line, (i + size - reach) % size, size)];
            }
        }
        result
    };
    let rows = blur(&surface.height, |line, i, size| line * size + i);
    let both = blur(&rows, |line, i, size| i * size + line);
    both.iter().zip(&surface.height).map(|(mean, height)| (mean - height).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_byte_has_zero_at_128() {
        assert_eq!([-1.0, 0.0, 1.0].map(signed_byte), [1, 128, 255]);
    }
}
