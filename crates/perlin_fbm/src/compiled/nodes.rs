//! Lattice nodes and single octaves of a noise, for drawings.

use super::Noise;
use crate::{AnyLattice, Lattice, LatticeNode, ValueAndGradient};

impl<const N: usize> Noise<N>
where
    AnyLattice<N>: Lattice<N>,
{
    /// Returns the lattice nodes of octave `octave` between `min` and `max`, both included, row by row along the axes of
    /// the noise. Empty if there is no such octave.
    ///
    /// ```
    /// use perlin_fbm::NoisePreset;
    ///
    /// // Cells of 20 units.
    /// let noise = NoisePreset::find("one_octave").expect("the name of a preset").noise(42);
    /// let nodes: Vec<_> = noise.nodes(0, [0.0, 0.0], [50.0, 30.0]).collect();
    /// assert_eq!(nodes.len(), 6);
    /// assert!((nodes[5].position[0] - 40.0).abs() < 1e-9);
    /// // The slope of the noise at a node is the gradient, here per unit.
    /// let slope = noise.sample([40.0, 20.0]).gradient[0];
    /// assert!((slope - nodes[5].gradient[0] / 20.0).abs() < 1e-9);
    /// ```
    pub fn nodes(&self, octave: usize, min: [f64; N], max: [f64; N]) -> impl Iterator<Item = LatticeNode<N>> {
        self.fractal.nodes(octave, min, max)
    }

    /// The noise of octave `octave` alone at `p`, in units, with its gradient per unit: `n_i` in the formulas of
    /// [`Fractal`](crate::Fractal), before amplitude, shape, sum, exponent and domain warp. `None` beyond the last octave.
    ///
    /// ```
    /// use perlin_fbm::{Noise, NoiseSettings, OctaveSum};
    ///
    /// let settings = NoiseSettings { octaves: 2, sum: OctaveSum::Raw, height_scale: 1.0, ..Default::default() };
    /// let noise = Noise::seeded(&settings, 42, 0);
    /// let [first, second] = [0, 1].map(|i| noise.octave(i, [70.0, 300.0]).expect("there are two octaves"));
    /// assert!((noise.sample([70.0, 300.0]).value - (first.value + 0.5 * second.value)).abs() < 1e-12);
    /// assert_eq!(noise.octave(2, [70.0, 300.0]), None);
    /// ```
    #[must_use]
    pub fn octave(&self, octave: usize, p: [f64; N]) -> Option<ValueAndGradient<N>> {
        self.fractal.octave(octave, p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Choice;
    use crate::{FractalShape, LatticeKind, NoiseSettings, OctaveSum};

    fn settings() -> NoiseSettings {
        NoiseSettings { octaves: 3, frequency: 0.05, height_scale: 1.0, ..Default::default() }
    }

    #[test]
    fn every_octave_is_zero_at_its_nodes_and_rises_by_their_gradients() {
        let mut kind = LatticeKind::default();
        for index in 0..kind.alternatives().len() {
            kind.choose(index);
            for period_x in [0, 5] {
                let noise = Noise::seeded(&NoiseSettings { lattice: kind, period_x, ..settings() }, 3, 0);
                for octave in 0..3 {
                    let [fx, fy] = noise.fractal.octaves()[octave].frequencies();
                    let nodes: Vec<_> = noise.nodes(octave, [-130.0, -30.0], [70.0, 30.0]).collect();
                    // 200 by 60 units, in cells of 20 units and less.
                    let [columns, rows] = [10 << octave, 3 << octave];
                    assert!((columns * rows..=(columns + 1) * (rows + 1)).contains(&nodes.len()), "{}", nodes.len());
                    for LatticeNode { position: [x, y], gradient } in nodes {
                        assert!((-130.0..=70.0).contains(&x) && (-30.0..=30.0).contains(&y));
                        let at = noise.octave(octave, [x, y]).expect("there are three octaves");
                        assert!(at.value.abs() < 1e-9, "{kind:?}: {} at {x}, {y}", at.value);
                        let apart = [at.gradient[0] - gradient[0] * fx, at.gradient[1] - gradient[1] * fy];
                        assert!(apart.iter().all(|difference| difference.abs() < 1e-9), "{kind:?} at {x}, {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn nodes_are_a_cell_apart_and_both_ends_count() {
        let noise = Noise::seeded(&NoiseSettings { offset_octaves: false, frequency: 0.25, ..settings() }, 1, 0);
        let positions = |min, max| noise.nodes(0, min, max).map(|node| node.position).collect::<Vec<_>>();
        assert_eq!(positions([-4.0, 8.0], [4.0, 8.0]), [[-4.0, 8.0], [0.0, 8.0], [4.0, 8.0]]);
        assert_eq!(positions([0.5, 0.5], [3.5, 9.0]), Vec::<[f64; 2]>::new());
        assert_eq!(positions([3.0, 3.0], [9.0, 9.0]), [[4.0, 4.0], [8.0, 4.0], [4.0, 8.0], [8.0, 8.0]]);
    }

    #[test]
    fn octaves_add_up_to_the_sum() {
        let settings = NoiseSettings { sum: OctaveSum::Raw, shape: FractalShape::Fbm, ..settings() };
        let noise = Noise::seeded(&settings, 9, 0);
        for (x, y) in [(0.3, 0.2), (-55.5, 1000.25), (1e6, -3.0)] {
            let octaves = settings.octaves().zip(0..).map(|((_, amplitude), index)| {
                let octave = noise.octave(index, [x, y]).expect("there are three octaves");
                [amplitude * octave.value, amplitude * octave.gradient[0], amplitude * octave.gradient[1]]
            });
            let sum = octaves.fold([0.0; 3], |sum, octave| std::array::from_fn(|i| sum[i] + octave[i]));
            let expected = noise.sample([x, y]);
            let expected = [expected.value, expected.gradient[0], expected.gradient[1]];
            assert!(sum.iter().zip(expected).all(|(sum, expected)| (sum - expected).abs() < 1e-12), "at {x}, {y}");
        }
    }

    #[test]
    fn no_settings_make_an_endless_list() {
        for frequency in [0.0, f64::NAN, -1.0] {
            let noise = Noise::seeded(&NoiseSettings { frequency, ..settings() }, 1, 0);
            assert_eq!(noise.nodes(0, [0.0; 2], [10.0; 2]).count(), 0, "{frequency}");
        }
        let noise = Noise::seeded(&settings(), 1, 0);
        assert_eq!(noise.nodes(3, [0.0; 2], [1e9; 2]).count(), 0, "there are three octaves");
        // Where a cell of 20 units is less than the distance of neighboring numbers.
        for far in [1e18, 1e300, -1e300, f64::MAX] {
            assert!(noise.nodes(0, [far, 0.0], [far + 100.0, 10.0]).count() < 100, "{far}");
        }
        assert_eq!(noise.nodes(0, [f64::NAN; 2], [10.0; 2]).count(), 0);
    }
}
