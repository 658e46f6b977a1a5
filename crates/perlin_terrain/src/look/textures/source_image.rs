//! Textures from images of a game.

use super::TextureMips;
use super::surface::Surface;

/// An image of ground from above: the linear color of each pixel, and its alpha.
pub struct SourceImage<F> {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// The pixel in a column and a row.
    pub pixel: F,
}

/// How far most of the ground is above or below its mean, in sides of the tile.
const DEVIATION: f32 = 0.006;

impl<F: Fn(usize, usize) -> [f32; 4]> SourceImage<F> {
    /// Bakes a texture with a side of `size` texels, a power of two. The image fills one tile.
    ///
    /// The alpha is the height. Without it, bright ground is high.
    pub fn bake(&self, size: usize) -> TextureMips {
        let texels: Vec<[f32; 4]> = (0..size * size).map(|i| self.texel(i % size, i / size, size)).collect();
        let has_height = texels.iter().any(|texel| texel[3] < 0.999);
        let height = |[red, green, blue, alpha]: [f32; 4]| {
            // Brightness, nearly as an eye sees it.
            if has_height { alpha } else { (0.3 * red + 0.6 * green + 0.1 * blue).max(0.0).sqrt() }
        };
        let mut surface = Surface::new(size);
        surface.paint(|i| {
            let [red, green, blue, _] = texels[i];
            // A tint of 0 has no mean of 1.
            (height(texels[i]), [red, green, blue].map(|part| part.max(1e-3)), 0.9)
        });
        surface.normalize();
        let squares = surface.height.iter().map(|height| height * height).sum::<f32>();
        let scale = DEVIATION / (squares / texels.len() as f32).sqrt().max(1e-6);
        surface.height.iter_mut().for_each(|height| *height *= scale);
        TextureMips::close_up(&surface)
    }

    /// The mean of the image over a texel of a texture of `size` texels.
    fn texel(&self, column: usize, row: usize, size: usize) -> [f32; 4] {
        let steps = self.size.map(|pixels| pixels.div_ceil(size));
        let position = |texel: usize, step: usize, axis: usize| {
            let part = (step as f32 + 0.5) / steps[axis] as f32;
            (texel as f32 + part) * self.size[axis] as f32 / size as f32
        };
        let mut sum = [0.0; 4];
        for (x, y) in (0..steps[0]).flat_map(|x| (0..steps[1]).map(move |y| (x, y))) {
            let pixel = self.between(position(column, x, 0), position(row, y, 1));
            sum.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += part);
        }
        sum.map(|part| part / (steps[0] * steps[1]) as f32)
    }

    /// The color at a position between the middles of four pixels. The image goes on at its opposite side.
    fn between(&self, x: f32, y: f32) -> [f32; 4] {
        let ([column, row], [part_x, part_y]) =
            ([x - 0.5, y - 0.5].map(f32::floor), [x - 0.5, y - 0.5].map(|at| at - at.floor()));
        let pixel = |dx: i64, dy: i64| {
            let [x, y] = [(column as i64 + dx, self.size[0]), (row as i64 + dy, self.size[1])]
                .map(|(at, count)| at.rem_euclid(count as i64) as usize);
            (self.pixel)(x, y)
        };
        let mix =
            |a: [f32; 4], b: [f32; 4], part: f32| -> [f32; 4] { std::array::from_fn(|i| a[i] + part * (b[i] - a[i])) };
        mix(mix(pixel(0, 0), pixel(1, 0), part_x), mix(pixel(0, 1), pixel(1, 1), part_x), part_y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn red_stripes(x: usize, _: usize) -> [f32; 4] {
        if x.is_multiple_of(2) { [0.2, 0.1, 0.05, 1.0] } else { [0.6, 0.1, 0.05, 1.0] }
    }

    #[test]
    fn a_texture_varies_as_its_image_does_and_has_no_color_of_its_own() {
        let mips = SourceImage { size: [16, 16], pixel: red_stripes }.bake(16);
        let texel = |i: usize| &mips.color[4 * i..4 * i + 4];
        // Half as red as the mean and half more; green and blue do not vary.
        assert_eq!([texel(0), texel(1)].map(|texel| [texel[0], texel[1], texel[2]]), [[64, 128, 128], [191, 128, 128]]);
        assert!(texel(0)[3] < 128 && texel(1)[3] > 128, "bright is high");
        assert_eq!(mips.last().0.map(|[red, green, blue, _]| [red, green, blue]), Some([128, 128, 128]));
        let coarse = SourceImage { size: [32, 32], pixel: red_stripes }.bake(16);
        assert_eq!(coarse.color[..3], [128, 128, 128], "a texel is the mean of its pixels");
    }

    #[test]
    fn alpha_is_the_height() {
        let pixel =
            |x: usize, y: usize| [0.2, 0.2, 0.2, if (4..12).contains(&x) && (4..12).contains(&y) { 1.0 } else { 0.5 }];
        let mips = SourceImage { size: [16, 16], pixel }.bake(16);
        let height = |x: usize, y: usize| mips.color[4 * (16 * y + x) + 3];
        assert!(height(8, 8) > 128 && height(1, 1) < 128);
        let slope = |x: usize, y: usize| mips.relief[4 * (16 * y + x)];
        assert!(slope(4, 8) > 128 && slope(11, 8) < 128 && slope(8, 8) == 128);
    }

    #[test]
    fn a_small_image_is_enlarged_and_goes_on_at_its_borders() {
        let pixel = |x: usize, y: usize| [if x == 0 { 0.1 } else { 0.3 }, if y == 0 { 0.1 } else { 0.3 }, 0.2, 1.0];
        let mips = SourceImage { size: [2, 3], pixel }.bake(16);
        let red: Vec<u8> = mips.color[..64].chunks(4).map(|texel| texel[0]).collect();
        let steps = (0..16).map(|i| red[i].abs_diff(red[(i + 1) % 16]));
        assert!(steps.max() <= Some(20), "{red:?}");
    }
}
