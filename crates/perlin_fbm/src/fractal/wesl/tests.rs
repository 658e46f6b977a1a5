//! The text of shader modules. Tests of the package `bevy_perlin_terrain` compile and run them.

use super::*;
use crate::param::Choice;
use crate::{Fade, FastHashGradients, LatticeKind, Noise, NoiseSettings};

fn settings() -> NoiseSettings {
    NoiseSettings { octaves: 2, frequency: 0.25, offset_octaves: false, ..NoiseSettings::unit() }
}

fn module_of(settings: &NoiseSettings) -> String {
    Noise::<2>::seeded(settings, 42, 0).wesl().expect("a shader can have it")
}

#[test]
fn a_line_has_the_numbers_of_its_octave() {
    let periodic =
        NoiseSettings { period_x: 6, lacunarity: 3.0, warp_strength: 1.5, warp_frequency: 0.5, ..settings() };
    let module = Noise::<3>::new(FastHashGradients::new(5), &periodic).wesl().expect("a shader can have it");
    let key = FastHashGradients::new(5).row_key(&[]);
    for line in [
        format!("    v += 0.6666667 * octave(p, vec3(0.25), vec3(0.0), vec3(0), vec3(6, 0, 0), {key:#010x}u);\n"),
        format!("    v += 0.33333334 * octave(p, vec3(0.75), vec3(0.0), vec3(0), vec3(18, 0, 0), {key:#010x}u);\n"),
    ] {
        assert!(module.contains(&line), "{line} in {module}");
    }
    // The last warp is 3 * 17.3 cells away.
    let line = "    v += 1.0 * octave(p, vec3(0.5), vec3(0.9), vec3(51), vec3(12, 0, 0), ";
    assert!(module.contains(line), "{line} in {module}");
}

#[test]
fn a_module_has_only_what_the_settings_need() {
    let plain = module_of(&settings());
    for (name, settings) in [
        ("fn warp_x", NoiseSettings { warp_strength: 1.0, ..settings() }),
        ("fn wrapped", NoiseSettings { period_y: 3, ..settings() }),
        ("fn unrotated", NoiseSettings { rotation: 0.5, ..settings() }),
        ("fn signed_power", NoiseSettings { exponent: 1.5, ..settings() }),
        ("fn clamped", NoiseSettings { sum: OctaveSum::Clamped, ..settings() }),
        ("fn billow", NoiseSettings { shape: FractalShape::Billow, ..settings() }),
        ("fn ridged", NoiseSettings { shape: FractalShape::Ridged, ..settings() }),
        ("fn hybrid", NoiseSettings { shape: FractalShape::Hybrid, ..settings() }),
        ("fn damped", NoiseSettings { shape: FractalShape::Damped, ..settings() }),
        ("bend", NoiseSettings { fade: Fade::MinimalCubic, ..settings() }),
        ("return 3.5 * sum(p);", NoiseSettings { height_scale: 3.5, ..settings() }),
    ] {
        assert!(!plain.contains(name) && module_of(&settings).contains(name), "{name}");
    }
    let none = module_of(&NoiseSettings { octaves: 0, ..settings() });
    assert!(!none.contains("fn octave"), "{none}");
}

#[test]
fn every_other_lattice_is_refused_by_name() {
    let mut kind = LatticeKind::default();
    for index in 0..kind.alternatives().len() {
        kind.choose(index);
        let found = Noise::<3>::seeded(&NoiseSettings { lattice: kind, ..settings() }, 1, 0).wesl();
        let expected = WeslError::Lattice { found: format!("{kind:?}") };
        assert!(if kind == LatticeKind::FastHash { found.is_ok() } else { found == Err(expected) }, "{kind:?}");
    }
}

#[test]
fn numbers_that_a_shader_cannot_have_are_refused() {
    let error =
        |settings: &NoiseSettings| Noise::<2>::seeded(settings, 1, 0).wesl().expect_err("it is refused").to_string();
    assert_eq!(
        error(&NoiseSettings { octaves: 32, period_x: 1024, ..settings() }),
        "octave 21 repeats after 2147483648 cells, allowed in a shader: up to 2147483647; use fewer octaves"
    );
    assert_eq!(
        error(&NoiseSettings { height_scale: 1e39, ..settings() }),
        "a frequency, an amplitude or a factor of the noise is inf, allowed in a shader: finite numbers"
    );
}
