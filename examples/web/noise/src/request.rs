//! Settings as the page sends them: a line `name=value` for each parameter and for the seed.

use perlin_fbm::NoiseSettings;
use perlin_fbm::param::{ParamVisitor, Params};

/// The parts of a request.
#[derive(Debug, Default, PartialEq)]
pub struct Request {
    /// The settings. What a request leaves out or gets wrong has its default.
    pub settings: NoiseSettings,
    /// The seed.
    pub seed: u64,
    /// The mistakes of the request, one sentence each.
    pub problems: Vec<String>,
}

impl Request {
    /// Reads a request. Any text gives valid settings.
    pub fn read(text: &str) -> Self {
        let mut request = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            let problem = match name {
                "seed" => match value.parse() {
                    Ok(seed) => {
                        request.seed = seed;
                        None
                    }
                    Err(_) => Some(format!("`seed` is {value}, allowed: 0 to {}", u64::MAX)),
                },
                _ => set(&mut request.settings, name, value),
            };
            request.problems.extend(problem);
        }
        request
    }
}

/// Sets the parameter `name`. Returns what is wrong with it, if anything is.
fn set(settings: &mut NoiseSettings, name: &str, text: &str) -> Option<String> {
    let mut problem = Some(format!("there is no parameter `{name}`"));
    settings.visit(&mut ParamVisitor::new(&mut |path, param, mut slot| {
        if path == name {
            problem = param.parse(text, &slot).map(|value| _ = slot.set(value)).err().map(|error| error.to_string());
        }
    }));
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use perlin_fbm::{FractalShape, NoisePreset};

    #[test]
    fn every_preset_survives_as_text() {
        for preset in NoisePreset::ALL {
            let mut text = "seed=18446744073709551615\n".to_owned();
            preset.settings().visit(&mut ParamVisitor::new(&mut |path, _, value| {
                text += &format!("{path}={}\n", value.get());
            }));
            let expected = Request { settings: preset.settings(), seed: u64::MAX, problems: vec![] };
            assert_eq!(Request::read(&text), expected, "{}", preset.name);
        }
    }

    #[test]
    fn wrong_lines_are_named_and_change_nothing() {
        let request = Request::read("persistence=3\nshape=Rigid\nseed=-1\nsize\nfade=Cubic\nfrequency=NaN\n");
        assert_eq!(request.settings.fade.to_owned(), perlin_fbm::Fade::Cubic);
        assert_eq!(request.settings.shape, FractalShape::Fbm);
        assert_eq!(
            request.problems,
            [
                "`persistence` is 3, allowed: 0 to 1",
                "`shape` is Rigid, allowed: Fbm, Ridged, Billow, Hybrid, Damped",
                "`seed` is -1, allowed: 0 to 18446744073709551615",
                "there is no parameter `size`",
                "`frequency` is NaN, allowed: 0.000001 to 1 per m",
            ]
        );
    }
}
