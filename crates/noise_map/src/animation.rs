//! Animations: how many frames there are, and what changes from one to the next.

use crate::arguments::Arguments;
use crate::source::Source;
use crate::stop::Stop;
use crate::values::Movement;
use perlin_terrain::noise::LatticeKind;

/// Cells of the first octave that a loop moves through space, if there is no period.
const LOOP_CELLS: u32 = 3;

/// The frames of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// How many there are.
    pub count: u32,
    /// What changes from one to the next.
    pub motion: Motion,
}

/// What changes from a frame to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// The position of the image: so far along x, y and z.
    Move([f64; 3]),
    /// The gradients: they turn until, after the last frame, they are again those of the first.
    Flow,
}

impl Frames {
    /// The frames that `arguments` ask for. A loop gives `source` a period along z, and cuts it in a `slice`.
    pub fn new(arguments: &Arguments, source: &mut Source, slice: &mut Option<f64>) -> Result<Option<Self>, Stop> {
        let Some(count) = arguments.frames else { return Ok(None) };
        let settings = &mut source.settings;
        let motion = if arguments.flow {
            if !matches!(settings.lattice, LatticeKind::Table | LatticeKind::Grid) {
                let wrong =
                    "only the lattices Table and Grid have gradients that --flow can turn: type --set lattice=Table";
                return Err(Stop::Mistake(wrong.to_owned()));
            }
            Motion::Flow
        } else if arguments.is_loop {
            if settings.period_z == 0 {
                settings.period_z = LOOP_CELLS;
            }
            slice.get_or_insert(0.0);
            let length = f64::from(settings.period_z) * settings.stretch_z / settings.first_frequency();
            Motion::Move([0.0, 0.0, length / f64::from(count)])
        } else {
            let Movement { plane: [x, y], z } = arguments.movement.unwrap_or(Movement { plane: [0.0; 2], z: None });
            if z.is_some() && slice.is_none() {
                let wrong = "--move with a third number moves through space: type --slice 0 too, or drop that number";
                return Err(Stop::Mistake(wrong.to_owned()));
            }
            Motion::Move([x, y, z.unwrap_or(0.0)])
        };
        Ok(Some(Self { count, motion }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Variable;
    use perlin_terrain::noise::NoisePreset;

    fn frames(line: &str, source: &mut Source) -> (Option<Frames>, Option<f64>) {
        let words = ["noise_map", "--preset", source.name.as_str()].into_iter().chain(line.split_whitespace());
        let arguments = Arguments::read(words.map(std::ffi::OsString::from)).expect("it is allowed");
        let mut slice = arguments.slice;
        (Frames::new(&arguments, source, &mut slice).expect("it is possible"), slice)
    }

    fn preset(name: &str) -> Source {
        Source::preset(NoisePreset::find(name).expect("a preset"), 42)
    }

    #[test]
    fn a_loop_moves_through_one_period_and_a_flow_stays_where_it_is() {
        let mut slow = preset("mixed");
        for (name, value) in [("period_z", "5"), ("stretch_z", "2"), ("cell", "10")] {
            slow.set(&Variable::named(name), value).expect("it is allowed");
        }
        for (mut source, count, period, length) in
            [(preset("mixed"), 4, 3, 3.0 * 128.0), (slow, 10, 5, 5.0 * 10.0 * 2.0)]
        {
            let (frames, slice) = frames(&format!("--frames {count} --loop"), &mut source);
            let step = length / f64::from(count);
            assert_eq!(frames, Some(Frames { count, motion: Motion::Move([0.0, 0.0, step]) }));
            assert_eq!((source.settings.period_z, slice), (period, Some(0.0)));
            // One more frame would be the first again.
            let noise = source.noise_in_space();
            let [first, next] = [0.0, length].map(|z| noise.sample([70.0, 30.0, z]).value);
            assert!((next - first).abs() < 1e-9, "{first} and {next}");
        }
        let flow = frames("--frames 4 --flow", &mut preset("table"));
        assert_eq!(flow, (Some(Frames { count: 4, motion: Motion::Flow }), None));
    }
}
