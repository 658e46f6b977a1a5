//! A map of a noise, or an animation of maps, drawn band by band.

use crate::animation::{Frames, Motion};
use crate::arrows::Arrows;
use crate::encode::{Format, Pixels, encode, encode_frames};
use crate::ramp::Ramp;
use crate::sampler::{EMPTY_RANGE, Sampler, bands};
use crate::shader::{FULL_RANGE, Shader};
use crate::source::Source;
use crate::watch::Watch;
use perlin_terrain::noise::{FixedCoord, Noise, SampleGrid, TICKS_PER_UNIT};
use std::io::{self, Write};

/// The view of a noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The noise.
    pub source: Source,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The position of the first pixel.
    pub offset: [f64; 2],
    /// Where space is cut, along z. Without it, the noise is that in the plane.
    pub slice: Option<f64>,
    /// Colors. Without them, gray.
    pub ramp: Option<Ramp>,
    /// Whether the lowest value is black and the highest white. Always so with colors.
    pub is_stretched: bool,
    /// Whether the gradients of the first octave are drawn on top.
    pub has_gradients: bool,
    /// Whether normals are drawn, in place of values.
    pub has_normals: bool,
    /// An animation, if it is one.
    pub frames: Option<Frames>,
}

impl Map {
    /// Draws the map in `format`.
    pub fn draw(&self, format: Format, output: &mut dyn Write, watch: &mut Watch) -> io::Result<()> {
        let mut painter = self.painter(format, watch)?;
        match self.frames {
            None => encode(format, painter.shader.pixels, self.size, output, |write| {
                painter.draw(0, watch, |band| {
                    write(band)?;
                    band.clear();
                    Ok(())
                })
            }),
            Some(Frames { count, .. }) => {
                encode_frames(painter.shader.pixels, self.size, count, output, |index, frame| {
                    painter.draw(index, watch, |_| Ok(()))?;
                    std::mem::swap(frame, &mut painter.bytes);
                    painter.bytes.clear();
                    Ok(())
                })
            }
        }
    }

    /// The position of the first pixel in a frame.
    fn origin(&self, frame: u32) -> [f64; 3] {
        let start = [self.offset[0], self.offset[1], self.slice.unwrap_or(0.0)];
        let step = match self.frames {
            Some(Frames { motion: Motion::Move(step), .. }) => step,
            Some(Frames { motion: Motion::Flow, .. }) | None => [0.0; 3],
        };
        [0, 1, 2].map(|axis| start[axis] + f64::from(frame) * step[axis])
    }

    fn painter(&self, format: Format, watch: &mut Watch) -> io::Result<Painter<'_>> {
        let pixels = match format {
            Format::Raw => Pixels::Float,
            Format::Png16 | Format::Pgm16 => Pixels::Gray16,
            _ if self.ramp.is_some() || self.has_gradients || self.has_normals => Pixels::Rgb8,
            Format::Png | Format::Pgm | Format::Svg | Format::Wesl => Pixels::Gray8,
        };
        let is_stretched = self.is_stretched || self.ramp.is_some();
        let mut painter = Painter {
            map: self,
            sampler: self.sampler(&self.source, pixels),
            shader: Shader { pixels, ramp: self.ramp, range: FULL_RANGE, cell_size: self.source.cell_size() },
            arrows: None,
            normals: None,
            values: Vec::new(),
            bytes: Vec::new(),
            rows_done: 0,
            rows: u64::from(self.size[1]) * u64::from(self.frame_count()) * if is_stretched { 2 } else { 1 },
        };
        painter.take(&self.source);
        if is_stretched {
            painter.shader.range = painter.extremes(watch)?;
        }
        Ok(painter)
    }

    /// The values of an image of `source`.
    fn sampler(&self, source: &Source, pixels: Pixels) -> Sampler {
        let sampler = Sampler::new(source, self.slice);
        if pixels == Pixels::Float { sampler.in_units_of(1.0) } else { sampler }
    }

    fn frame_count(&self) -> u32 {
        self.frames.map_or(1, |frames| frames.count)
    }
}

/// A map that is being drawn.
struct Painter<'a> {
    map: &'a Map,
    sampler: Sampler,
    shader: Shader,
    arrows: Option<Arrows>,
    /// The noise whose normals are drawn.
    normals: Option<Noise>,
    values: Vec<f32>,
    bytes: Vec<u8>,
    rows_done: u64,
    rows: u64,
}

impl Painter<'_> {
    /// Draws a frame. After each band, `take` sees all bytes that it has not taken yet.
    fn draw(
        &mut self,
        frame: u32,
        watch: &mut Watch,
        mut take: impl FnMut(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let [x, y, _] = self.go_to(frame);
        for (first, rows) in bands(self.map.size) {
            note_rows(&mut self.rows_done, rows, self.rows, watch)?;
            let (origin, size) = ([x, y + f64::from(first)], [self.map.size[0] as usize, rows as usize]);
            let start = self.bytes.len();
            if let Some(noise) = &self.normals {
                let grid = SampleGrid { origin: origin.map(FixedCoord::from), step_ticks: TICKS_PER_UNIT, size };
                self.bytes.extend(noise.normal_map(&grid).to_rgb8());
            } else {
                self.shader.draw(&mut self.sampler, origin, size, &mut self.values, &mut self.bytes);
            }
            if let Some(arrows) = &self.arrows {
                arrows.draw(origin, size, &mut self.bytes[start..]);
            }
            take(&mut self.bytes)?;
        }
        Ok(())
    }

    /// Draws `source`.
    fn take(&mut self, source: &Source) {
        self.sampler = self.map.sampler(source, self.shader.pixels);
        self.arrows = self.map.has_gradients.then(|| Arrows::new(source.noise(), source.cell_size()));
        self.normals = self.map.has_normals.then(|| source.noise());
    }

    /// Makes the values those of a frame. Returns the position of its first pixel.
    fn go_to(&mut self, frame: u32) -> [f64; 3] {
        let Map { source, frames, .. } = self.map;
        if let Some(Frames { count, motion: Motion::Flow }) = *frames {
            let mut source = source.clone();
            source.settings.flow = f64::from(frame) / f64::from(count);
            self.take(&source);
        }
        let origin = self.map.origin(frame);
        self.sampler.move_to(origin[2]);
        origin
    }

    /// The lowest and the highest value in all frames.
    fn extremes(&mut self, watch: &mut Watch) -> io::Result<[f32; 2]> {
        let mut range = EMPTY_RANGE;
        for frame in 0..self.map.frame_count() {
            let [x, y, _] = self.go_to(frame);
            let (done, rows) = (&mut self.rows_done, self.rows);
            let before = |more| note_rows(done, more, rows, watch);
            range = self.sampler.widen(range, [x, y], self.map.size, before)?;
        }
        Ok(range)
    }
}

/// Reports progress before `more` rows are drawn.
fn note_rows(done: &mut u64, more: u32, rows: u64, watch: &mut Watch) -> io::Result<()> {
    watch.note_progress(*done as f64 / rows as f64)?;
    *done += u64::from(more);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_terrain::noise::{GridGradients, Lattice, NoisePreset, NoiseRng};

    fn preset(name: &str, size: [u32; 2]) -> Map {
        let source = Source::preset(NoisePreset::find(name).expect("the name of a preset"), 42);
        Map {
            source,
            size,
            offset: [0.0; 2],
            slice: None,
            ramp: None,
            is_stretched: false,
            has_gradients: false,
            has_normals: false,
            frames: None,
        }
    }

    /// An image of four numbers, as in the exercise, without a header.
    fn numbers(width: u32, height: u32, cell_size: f64, seed: u64, fade: &str) -> Vec<u8> {
        let mut source = Source::grid([width, height], cell_size, seed);
        crate::field::set(&mut source.settings, "fade", fade).expect("it is a fade");
        let map = preset("grid", [width, height]);
        pixels(&Map { source, ..map })
    }

    fn pixels(map: &Map) -> Vec<u8> {
        let mut file = Vec::new();
        map.draw(Format::Pgm, &mut file, &mut Watch::start()).expect("memory can be written");
        let header = format!("P5\n{} {}\n255\n", map.size[0], map.size[1]);
        file.strip_prefix(header.as_bytes()).expect("it has a header").to_vec()
    }

    fn bytes(map: &Map, format: Format) -> Vec<u8> {
        let mut file = Vec::new();
        map.draw(format, &mut file, &mut Watch::start()).expect("memory can be written");
        file
    }

    /// The frames of a PNG.
    fn decoded(file: &[u8]) -> Vec<Vec<u8>> {
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().expect("it is a PNG");
        let count = reader.info().animation_control.map_or(1, |control| control.num_frames);
        let frame = |_| {
            let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
            reader.next_frame(&mut pixels).expect("it has an image");
            pixels
        };
        (0..count).map(frame).collect()
    }

    #[test]
    fn shades_are_of_values_from_minus_one_to_one() {
        let noise = NoisePreset::find("ridged").expect("a preset").noise(42);
        let map = preset("ridged", [60, 50]);
        let shades = pixels(&map);
        let fine = bytes(&map, Format::Pgm16);
        let fine = fine.strip_prefix(b"P5\n60 50\n65535\n").expect("it has a header");
        let raw = bytes(&map, Format::Raw);
        for (x, y) in [(0, 0), (59, 49), (3, 32), (20, 9)] {
            let (value, at) = (noise.value([x as f64, y as f64]), y * 60 + x);
            assert_eq!(shades[at], (255.0 * (value + 1.0) / 2.0).round() as u8, "at {x}, {y}");
            let fine = f32::from(u16::from_be_bytes([fine[2 * at], fine[2 * at + 1]]));
            assert!((fine - 65535.0 * (value + 1.0) / 2.0).abs() <= 1.0, "at {x}, {y}");
            assert_eq!(raw[4 * at..4 * at + 4], value.to_le_bytes());
        }
    }

    #[test]
    fn raw_values_are_in_units_of_height() {
        let table = preset("table", [2, 2]);
        let value = NoisePreset::find("table").expect("a preset").noise(42).value([1.0, 0.0]);
        assert_eq!(bytes(&table, Format::Raw)[4..8], value.to_le_bytes(), "its height scale is 100");
    }

    #[test]
    fn the_first_pixel_of_every_cell_is_middle_gray() {
        let shades = numbers(100, 60, 20.0, 42, "Quintic");
        for (x, y) in (0..5).flat_map(|x| (0..3).map(move |y| (x * 20, y * 20))) {
            assert_eq!(shades[y * 100 + x], 128, "at {x}, {y}");
        }
        assert!(shades.iter().any(|&shade| shade != 128));
        assert_eq!(numbers(1, 1, 2.0, 5, "Quintic"), [128]);
    }

    #[test]
    fn a_pixel_on_a_grid_line_depends_on_its_two_neighbors_alone() {
        // 3 by 2 cells have 4 by 3 nodes, filled row by row.
        let grid = GridGradients::new(&mut NoiseRng::new(7, 0), [4, 3]);
        let shades = numbers(30, 20, 10.0, 7, "Linear");
        for x in 0..30_u32 {
            let (cell, t) = (i64::from(x / 10), f64::from(x % 10) / 10.0);
            let (left, right) = (grid.gradient([cell, 1])[0], grid.gradient([cell + 1, 1])[0]);
            let expected = 127.5 * ((1.0 - t) * left * t + t * right * (t - 1.0) + 1.0);
            assert!((f64::from(shades[300 + x as usize]) - expected).abs() < 0.51, "at {x}");
        }
    }

    #[test]
    fn the_middle_of_a_cell_is_the_mean_of_its_four_corners() {
        let grid = GridGradients::new(&mut NoiseRng::new(9, 0), [2, 2]);
        let corners = [(0, 0, 1.0, 1.0), (1, 0, -1.0, 1.0), (0, 1, 1.0, -1.0), (1, 1, -1.0, -1.0)];
        let mean: f64 = corners
            .iter()
            .map(|&(x, y, sx, sy)| {
                let [gx, gy] = grid.gradient([x, y]);
                (gx * sx + gy * sy) * 0.5 / 4.0
            })
            .sum();
        for fade in ["Linear", "Cubic", "Quintic"] {
            let shade = numbers(10, 10, 10.0, 9, fade)[55];
            assert!((f64::from(shade) - 127.5 * (mean + 1.0)).abs() < 0.51, "{fade}");
        }
    }

    #[test]
    fn an_offset_moves_the_image_over_the_noise() {
        let whole = pixels(&preset("mixed", [50, 40]));
        let part = pixels(&Map { offset: [10.0, 5.0], ..preset("mixed", [40, 35]) });
        for y in 0..35 {
            assert_eq!(part[y * 40..][..40], whole[(y + 5) * 50 + 10..][..40], "row {y}");
        }
    }

    #[test]
    fn stretched_values_run_from_black_to_white() {
        let shades = pixels(&Map { is_stretched: true, ..preset("mixed", [300, 1000]) });
        assert_eq!((shades.iter().min(), shades.iter().max()), (Some(&0), Some(&255)));
        let mut flat = preset("mixed", [4, 4]);
        flat.source.settings.height_scale = 0.0;
        assert_eq!(pixels(&Map { is_stretched: true, ..flat }), [128; 16], "one value is middle gray");
    }

    #[test]
    fn frames_are_maps_that_move() {
        let frames = Some(Frames { count: 3, motion: Motion::Move([7.0, -2.0, 0.0]) });
        let still = preset("mixed", [40, 30]);
        for is_stretched in [false, true] {
            let moving = Map { frames, is_stretched, ..still.clone() };
            let found = decoded(&bytes(&moving, Format::Png));
            assert_eq!(found.len(), 3);
            if !is_stretched {
                for (frame, index) in found.iter().zip(0..) {
                    let offset = [7.0 * f64::from(index), -2.0 * f64::from(index)];
                    assert!(*frame == pixels(&Map { offset, ..still.clone() }), "frame {index}");
                }
            } else {
                let shades = || found.iter().flatten();
                assert_eq!((shades().min(), shades().max()), (Some(&0), Some(&255)), "over all frames");
                // The part that both show has the same shades.
                assert_eq!(found[0][3 * 40 + 7..][..33], found[1][5 * 40..][..33]);
            }
        }
    }

    #[test]
    fn a_slice_moves_through_space() {
        let at = |z: f64| pixels(&Map { slice: Some(z), ..preset("mixed", [40, 30]) });
        let frames = Some(Frames { count: 3, motion: Motion::Move([0.0, 0.0, 2.5]) });
        let moving = Map { slice: Some(5.0), frames, ..preset("mixed", [40, 30]) };
        assert!(decoded(&bytes(&moving, Format::Png)) == [at(5.0), at(7.5), at(10.0)]);
        assert!(at(5.0) != at(7.5) && at(0.0) != pixels(&preset("mixed", [40, 30])));
    }

    #[test]
    fn a_flow_turns_gradients_once_over_all_frames() {
        let frames = Some(Frames { count: 4, motion: Motion::Flow });
        let found = decoded(&bytes(&Map { frames, ..preset("table", [40, 30]) }, Format::Png));
        for (frame, flow) in found.iter().zip([0.0, 0.25, 0.5, 0.75]) {
            let mut still = preset("table", [40, 30]);
            still.source.settings.flow = flow;
            assert!(*frame == pixels(&still), "at {flow}");
        }
        let are_different = |frames: &[Vec<u8>]| frames.windows(2).all(|pair| pair[0] != pair[1]);
        assert!(are_different(&found));
        // Arrows and normals turn too.
        let flat = |map: Map| Map {
            source: {
                let mut flat = map.source.clone();
                flat.settings.height_scale *= 1e-6;
                flat
            },
            ..map
        };
        let arrows = flat(Map { frames, has_gradients: true, ..preset("table", [90, 90]) });
        assert!(are_different(&decoded(&bytes(&arrows, Format::Png))));
        let normals = Map { frames, has_normals: true, ..preset("table", [40, 30]) };
        assert!(are_different(&decoded(&bytes(&normals, Format::Png))));
    }

    #[test]
    fn normals_are_those_of_the_whole_noise_on_every_band() {
        let mut steep = Map { has_normals: true, offset: [3.5, -7.0], ..preset("mixed", [200, 2000]) };
        steep.source.settings.height_scale = 40.0;
        let [drawn] = &decoded(&bytes(&steep, Format::Png))[..] else { panic!("one image") };
        let map = steep.source.noise().normal_map(&SampleGrid::new([3.5, -7.0], 1.0, [200, 2000]));
        assert!(*drawn == map.to_rgb8());
        assert!(drawn.chunks(3).any(|color| color[0].abs_diff(128) > 60), "there are slopes");
    }

    #[test]
    fn colors_and_gradients_are_drawn_on_every_band() {
        let land = Map { ramp: Some(Ramp::Land), ..preset("mixed", [200, 2000]) };
        let [plain] = &decoded(&bytes(&land, Format::Png))[..] else { panic!("one image") };
        // The shade of a pixel depends on its neighbors, in the band above too.
        let source = &land.source;
        let mut sampler = Sampler::new(source, None);
        let range = sampler.widen(EMPTY_RANGE, [0.0; 2], land.size, |_| Ok(())).expect("nothing fails");
        let shader = Shader { pixels: Pixels::Rgb8, ramp: land.ramp, range, cell_size: source.cell_size() };
        let mut expected = Vec::new();
        shader.draw(&mut sampler, [0.0; 2], [200, 2000], &mut Vec::new(), &mut expected);
        assert!(*plain == expected);
        let arrows = Map { has_gradients: true, ..land };
        let [drawn] = &decoded(&bytes(&arrows, Format::Png))[..] else { panic!("one image") };
        let changed = plain.chunks(200 * 3 * 100).zip(drawn.chunks(200 * 3 * 100)).filter(|(a, b)| a != b);
        assert_eq!(changed.count(), 20, "there are arrows in every hundred rows");
    }
}
