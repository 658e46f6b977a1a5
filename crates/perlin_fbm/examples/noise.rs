//! A map of noise in a few lines, without Bevy: writes `noise.pgm`.

use perlin_fbm::{Noise, NoiseSettings, SampleGrid};
use std::fs::File;

fn main() -> std::io::Result<()> {
    // Cells of 64 units, six octaves, values within -1 and 1.
    let settings = NoiseSettings { octaves: 6, ..NoiseSettings::unit() };
    // Seed 42, stream 0: streams of a seed are independent noises.
    let noise = Noise::seeded(&settings, 42, 0);
    println!("{} with slope {:?}", noise.value([10.0, 20.0]), noise.sample([10.0, 20.0]).gradient);
    // 512 by 512 samples from (0, 0), one unit apart.
    let map = noise.map(&SampleGrid::new([0.0, 0.0], 1.0, [512, 512]));
    map.write_pgm(&mut File::create("noise.pgm")?)
}
