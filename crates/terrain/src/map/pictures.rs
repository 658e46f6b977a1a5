//! What a map can show.

use perlin_terrain::field::{Blend, Constant, HeightField, Layer, LayerKind, NodeGrid};
use perlin_terrain::look::far_map::{FarMap, FarMapMaker};
use perlin_terrain::look::{SurfaceLayers, SurfaceSample};
use perlin_terrain::noise::{NoiseScratch, TICKS_PER_UNIT};
use perlin_terrain::settings::TerrainSettings;
use std::io::{self, Write};
use std::sync::Arc;

/// The sides of a picture are whole multiples of this many pixels while it is drawn.
const BLOCK: usize = 128;

/// The direction toward the sun along x and z: north-west, as on printed maps.
const SUN: [f32; 2] = [-std::f32::consts::FRAC_1_SQRT_2, -std::f32::consts::FRAC_1_SQRT_2];

/// How high the sun is: the tangent of 38 degrees.
const SUN_HEIGHT: f32 = 0.78;

/// An image with a line that says what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub size: [usize; 2],
    /// Red, green and blue in sRGB, row by row from the north-west corner.
    pub pixels: Vec<[u8; 3]>,
    pub caption: String,
}

impl Picture {
    /// Writes the image as a PNG.
    pub fn write_png(&self, output: &mut impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(output, self.size[0] as u32, self.size[1] as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        Ok(writer.finish()?)
    }
}

/// The square of ground that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// x and z of the middle, in metres.
    center: [f64; 2],
    /// Metres from one pixel to the next.
    spacing: f64,
    /// Pixels along a side.
    size: usize,
}

impl Frame {
    /// A square of `metres` a side around the position `at`, in `size` pixels a side.
    pub fn new(at: [f64; 2], metres: f64, size: u32) -> Self {
        // Positions of vertices are whole ticks, and so are those of pixels.
        let spacing = (metres / f64::from(size) * TICKS_PER_UNIT as f64).round().max(1.0) / TICKS_PER_UNIT as f64;
        Self { center: at, spacing, size: size as usize }
    }

    fn grid(&self) -> NodeGrid {
        let origin = self.center.map(|center| (center / self.spacing).round() as i64 - self.size as i64 / 2);
        NodeGrid { origin, stride: 1, size: [self.size; 2], spacing: self.spacing }
    }

    /// Metres from one pixel to the next.
    pub const fn spacing(&self) -> f64 {
        self.spacing
    }

    /// x of the first, z of the first, x of the last and z of the last pixel, in metres.
    pub fn edges(&self) -> [f64; 4] {
        let first = self.grid().origin;
        let [west, north] = first.map(|index| index as f64 * self.spacing);
        let side = (self.size.max(2) - 1) as f64 * self.spacing;
        [west, north, west + side, north + side]
    }

    /// The heights at the pixels, in metres.
    pub fn heights(&self, settings: &TerrainSettings) -> Vec<f32> {
        let mut heights = Vec::new();
        HeightField::new(&settings.field).fill(&self.grid(), &mut NoiseScratch::default(), &mut heights);
        heights
    }

    fn picture(&self, pixels: Vec<[u8; 3]>, what: &str) -> Picture {
        let [x, z] = self.center;
        let metres = self.spacing * self.size as f64;
        let caption = format!("{what}, {metres:.0} m around {x:.0}, {z:.0}");
        Picture { size: [self.size; 2], pixels, caption }
    }

    /// The normals and the form of the ground, and how many texels they have along a side: a multiple of [`BLOCK`].
    fn form(&self, settings: &TerrainSettings) -> (FarMap, usize) {
        // The maker rounds its corner to 16 texels, so it gets a block more.
        let size = self.size.next_multiple_of(BLOCK) + BLOCK;
        let field = Arc::new(HeightField::new(&settings.field));
        let mut maker = FarMapMaker::new(field, self.center, self.spacing, size, SUN);
        let map = loop {
            if let Some(map) = maker.step() {
                break map;
            }
        };
        (map, size)
    }

    /// The terrain in the colors of its layers, with its water, lit from the north-west.
    pub fn ground(&self, settings: &TerrainSettings) -> Picture {
        let (look, grid) = (&settings.look, self.grid());
        let heights = self.heights(settings);
        let (form, side) = self.form(settings);
        let corner = form.corner.map(|metres| (metres / self.spacing).round() as i64);
        let layers = SurfaceLayers::new(look);
        let colors: Vec<[f32; 3]> = layers.layers().iter().map(|layer| linear(layer.color)).collect();
        let water = look.water.then(|| (look.water_height as f32, linear(look.water_color)));
        let pixel = |index: usize| {
            let node = [grid.origin[0] + (index % self.size) as i64, grid.origin[1] + (index / self.size) as i64];
            let texel = (node[0] - corner[0]) as usize + (node[1] - corner[1]) as usize * side;
            let normal = normal(&form, texel);
            let [open, horizon, curvature, drainage] = shape(&form, texel);
            let height = heights[index];
            let position = [node[0] as f64 * self.spacing, f64::from(height), node[1] as f64 * self.spacing];
            let signed = |byte: u8| (f32::from(byte) - 128.0) / 127.0;
            let sample = SurfaceSample {
                curvature: signed(curvature),
                drainage: signed(drainage),
                ..SurfaceSample::new(position, normal)
            };
            let mut color = [0.0; 3];
            for (weight, of_layer) in layers.weights(&sample).iter().zip(&colors) {
                (0..3).for_each(|channel| color[channel] += weight * of_layer[channel]);
            }
            let lit = light(normal, f32::from(open) / 255.0, f32::from(horizon));
            let ground = [0, 1, 2].map(|channel| color[channel] * lit[channel]);
            srgb(match water {
                // Ten metres of water hide the ground.
                Some((level, of_water)) if height < level => {
                    let depth = 1.0 - 1.0 / (1.0 + (level - height) * 0.35);
                    let calm = light([0.0, 1.0, 0.0], 1.0, 0.0);
                    [0, 1, 2].map(|c| ground[c] + (of_water[c] * calm[c] - ground[c]) * depth)
                }
                _ => ground,
            })
        };
        self.picture((0..self.size * self.size).map(pixel).collect(), "the ground")
    }

    /// Heights in gray, the lowest black.
    pub fn height(&self, settings: &TerrainSettings) -> Picture {
        let heights = self.heights(settings);
        let (low, high) = range(&heights);
        let pixels = heights.iter().map(|height| gray((height - low) / (high - low).max(f32::MIN_POSITIVE)));
        self.picture(pixels.collect(), &format!("heights from {low:.1} m, black, to {high:.1} m, white"))
    }

    /// Slopes in gray: level ground is black, walls are white.
    pub fn slope(&self, settings: &TerrainSettings) -> Picture {
        self.of_form(settings, "slopes: black is level, white is upright", |form, texel| {
            let slope = normal(form, texel)[1].clamp(-1.0, 1.0).acos();
            slope / std::f32::consts::FRAC_PI_2
        })
    }

    /// The drainage in gray: crests are black, the bottoms of gullies white.
    pub fn drainage(&self, settings: &TerrainSettings) -> Picture {
        self.of_form(
            settings,
            "drainage: black is a crest, gray neither, white the bottom of a gully",
            |form, texel| f32::from(shape(form, texel)[3].max(1) - 1) / 254.0,
        )
    }

    fn of_form(&self, settings: &TerrainSettings, what: &str, part: impl Fn(&FarMap, usize) -> f32) -> Picture {
        let grid = self.grid();
        let (form, side) = self.form(settings);
        let corner = form.corner.map(|metres| (metres / self.spacing).round() as i64);
        let [column, row] = [0, 1].map(|axis| (grid.origin[axis] - corner[axis]) as usize);
        let texels = (0..self.size).flat_map(|z| (0..self.size).map(move |x| (row + z) * side + column + x));
        self.picture(texels.map(|texel| gray(part(&form, texel))).collect(), what)
    }

    /// What a layer changes: gray where it changes nothing, lighter where it raises the ground, darker where it lowers it. `None` if
    /// there is no such layer.
    pub fn layer(&self, settings: &TerrainSettings, name: &str) -> Option<Picture> {
        let without = with_layer(settings, name, |layer| layer.enabled = false)?;
        let with = with_layer(settings, name, |layer| layer.enabled = true)?;
        let changes: Vec<f32> =
            self.heights(&with).iter().zip(self.heights(&without)).map(|(with, without)| with - without).collect();
        let (low, high) = range(&changes);
        let most = low.abs().max(high.abs()).max(f32::MIN_POSITIVE);
        let pixels = changes.iter().map(|change| gray(0.5 + 0.5 * change / most));
        let what = format!(
            "the layer {name:?}, which changes heights by {low:.1} to {high:.1} m: gray is 0, white {most:.1} m"
        );
        Some(self.picture(pixels.collect(), &what))
    }

    /// Where a layer has its effect: the masks of the layer, multiplied. Black is nowhere, white everywhere. `None` if there is no such
    /// layer.
    pub fn mask(&self, settings: &TerrainSettings, name: &str) -> Option<Picture> {
        // In place of the layer, one that raises the ground by a metre where its masks say so, and nothing above it in its list.
        let raised = |height| {
            with_layer(settings, name, |layer| {
                (layer.enabled, layer.opacity) = (true, 1.0);
                (layer.blend, layer.blend_radius) = (Blend::Add, 0.0);
                layer.kind = LayerKind::Constant(Constant { height });
            })
        };
        let [base, raised] = [raised(0.0)?, raised(1000.0)?].map(|settings| self.heights(&settings));
        let pixels = base.iter().zip(raised).map(|(base, raised)| gray((raised - base) / 1000.0));
        Some(self.picture(pixels.collect(), &format!("the masks of the layer {name:?}: black is 0, white is 1")))
    }
}

/// Settings in which the layer with a name, or with a path such as `field.layers[2]`, is changed, and in which there are no layers above
/// it. `None` if there is no such layer.
fn with_layer(settings: &TerrainSettings, name: &str, change: impl FnOnce(&mut Layer)) -> Option<TerrainSettings> {
    let all = settings.field.all_layers();
    let is_meant =
        |(path, layer): &&(String, &Layer)| !name.is_empty() && layer.name == name || format!("field.{path}") == name;
    let path = all.iter().find(is_meant)?.0.clone();
    let mut changed = settings.clone();
    changed.field.pin_streams();
    let mut list = &mut changed.field.layers;
    let mut steps: Vec<usize> =
        path.split('[').skip(1).filter_map(|step| step.split(']').next()?.parse().ok()).collect();
    let last = steps.pop()?;
    for index in steps {
        list.truncate(index + 1);
        list = list.get_mut(index)?.children_mut()?;
    }
    list.truncate(last + 1);
    change(list.get_mut(last)?);
    Some(changed)
}

fn range(values: &[f32]) -> (f32, f32) {
    let ends = (f32::INFINITY, f32::NEG_INFINITY);
    values.iter().fold(ends, |(low, high), &value| (low.min(value), high.max(value)))
}

/// The unit normal of a texel.
fn normal(form: &FarMap, texel: usize) -> [f32; 3] {
    let half = |at: usize| {
        let bits = u16::from_le_bytes([form.normals[at], form.normals[at + 1]]);
        let size = f32::from_bits(u32::from(bits & 0x7fff) << 13) * f32::from_bits(0x7780_0000);
        if bits & 0x8000 == 0 { size } else { -size }
    };
    let [x, z] = [half(4 * texel), half(4 * texel + 2)];
    [x, (1.0 - x * x - z * z).max(0.0).sqrt(), z]
}

fn shape(form: &FarMap, texel: usize) -> [u8; 4] {
    [0, 1, 2, 3].map(|channel| form.shape[4 * texel + channel])
}

/// The light on the ground: that of the sun, unless a hill hides it, and that of the sky. Level, open ground has about 1.
fn light(normal: [f32; 3], open: f32, horizon: f32) -> [f32; 3] {
    let part = horizon / 255.0;
    let tangent = part / (1.0 - part).max(1e-3);
    // The sun is not a point, so the edge of a shadow is not sharp.
    let seen = ((SUN_HEIGHT - tangent) / 0.06 + 0.5).clamp(0.0, 1.0);
    let length = (1.0 + SUN_HEIGHT * SUN_HEIGHT).sqrt();
    let facing = (SUN[0] * normal[0] + SUN_HEIGHT * normal[1] + SUN[1] * normal[2]) / length;
    let sun = 1.3 * seen * facing.max(0.0);
    let sky = open * (0.5 + 0.5 * normal[1]);
    [1.06 * sun + 0.24 * sky, sun + 0.29 * sky, 0.9 * sun + 0.38 * sky]
}

/// A color in light, which adds up, from sRGB. A square instead of the exact curve: the map is no measurement.
fn linear(color: [f32; 3]) -> [f32; 3] {
    color.map(|channel| channel * channel)
}

fn srgb(color: [f32; 3]) -> [u8; 3] {
    color.map(|channel| (channel.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8)
}

fn gray(part: f32) -> [u8; 3] {
    [(part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8; 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> TerrainSettings {
        TerrainSettings::from_ron(text).expect("the text is valid")
    }

    fn frame(metres: f64, size: u32) -> Frame {
        Frame::new([0.0; 2], metres, size)
    }

    fn at(picture: &Picture, x: usize, z: usize) -> [u8; 3] {
        picture.pixels[z * picture.size[0] + x]
    }

    const TOWN: &str = "(field: (layers: [
        (name: \"hills\", kind: Noise()),
        (name: \"town\", masks: [Point(radius: 200.0, fade: 1.0)], opacity: 0.5, kind: Constant(height: 40.0)),
        (kind: Group(layers: [(name: \"inner\", masks: [Point(x: 400.0, radius: 50.0, fade: 1.0)], kind: Dunes())])),
    ]))";

    #[test]
    fn masks_are_white_where_a_layer_has_its_effect() {
        let picture = frame(1000.0, 100).mask(&settings(TOWN), "town").expect("it is a layer");
        assert_eq!([at(&picture, 50, 50), at(&picture, 50, 33), at(&picture, 5, 50)], [[255; 3], [255; 3], [0; 3]]);
        for name in ["inner", "field.layers[2].kind.layers[0]"] {
            let picture = frame(1000.0, 100).mask(&settings(TOWN), name).expect("it is a layer");
            assert_eq!([at(&picture, 90, 50), at(&picture, 50, 50)], [[255; 3], [0; 3]], "{name}");
        }
        let picture = frame(1000.0, 100).mask(&settings(TOWN), "hills").expect("it is a layer");
        assert_eq!(at(&picture, 5, 5), [255; 3], "it has no masks");
        assert_eq!(frame(1000.0, 10).mask(&settings(TOWN), "towns"), None);
    }

    #[test]
    fn a_layer_shows_what_it_changes() {
        let picture = frame(1000.0, 100).layer(&settings(TOWN), "town").expect("it is a layer");
        assert_eq!([at(&picture, 50, 50), at(&picture, 5, 50)], [[255; 3], [128; 3]]);
        assert!(picture.caption.contains("by 0.0 to 20.0 m"), "{}", picture.caption);
        assert_eq!(frame(1000.0, 10).layer(&settings(TOWN), ""), None);
    }

    #[test]
    fn heights_and_slopes_are_those_of_the_field() {
        let slope = settings("(field: (layers: [(kind: Noise(octaves: 1, wavelength: 2000.0, height_scale: 400.0))]))");
        let frame = frame(1000.0, 64);
        let (heights, picture) = (frame.heights(&slope), frame.height(&slope));
        let (low, high) = range(&heights);
        let lowest = heights.iter().position(|height| *height == low).expect("it is there");
        assert_eq!(picture.pixels[lowest], [0; 3]);
        let field = HeightField::new(&slope.field);
        let [x, z] = [64.0 / 2.0 - 10.0, 64.0 / 2.0 - 20.0].map(|pixels| -pixels * 1000.0 / 64.0);
        assert_eq!(heights[20 * 64 + 10], field.height(x, z + 0.0));
        assert!(high > low);
        let flat = settings("(field: (base_height: 7.0, layers: []))");
        assert!(frame.slope(&flat).pixels.iter().all(|pixel| *pixel == [0; 3]));
        assert!(frame.slope(&slope).pixels.iter().any(|pixel| pixel[0] > 10));
    }

    #[test]
    fn water_is_blue_and_slopes_toward_the_light_are_brighter() {
        let sea = settings("(field: (base_height: -30.0, layers: []), look: (water: true, water_height: 0.0))");
        let [red, green, blue] = frame(1000.0, 16).ground(&sea).pixels[100];
        assert!(blue > red && blue > green, "{red} {green} {blue}");
        let [lit, dark] = [[-0.5, 0.7, -0.5], [0.5, 0.7, 0.5]].map(|normal| light(normal, 1.0, 0.0));
        assert!(lit[1] > 2.0 * dark[1]);
        assert!(
            light([0.0, 1.0, 0.0], 1.0, 200.0)[1] < 0.5 * light([0.0, 1.0, 0.0], 1.0, 0.0)[1],
            "a hill hides the sun"
        );
    }

    #[test]
    fn pictures_of_any_size_show_the_same_ground() {
        let alps = settings(include_str!("../../../../assets/terrain/alps.terrain.ron"));
        let whole = Frame::new([0.0; 2], 1600.0, 200).ground(&alps);
        // The middle of it, with pixels at the same positions.
        let middle = Frame::new([0.0; 2], 480.0, 60).ground(&alps);
        let differs = (0..3600).filter(|i| {
            let (x, z) = (i % 60, i / 60);
            let (a, b) = (at(&middle, x, z), at(&whole, x + 70, z + 70));
            (0..3).any(|channel| a[channel].abs_diff(b[channel]) > 12)
        });
        // Hills beyond the smaller map are seen in less detail, so a few edges of shadows differ.
        assert!(differs.count() < 36);
    }
}
