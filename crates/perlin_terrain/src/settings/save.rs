//! Writes settings back into a file and keeps the designer's comments.

use super::parse::readable;
use super::streams::{AllStreams, Streams};
use super::version::{CURRENT, check_version};
use super::{SettingsError, TerrainSettings, file};
use crate::ron_edit::{Document, ItemRules, merged};

impl TerrainSettings {
    /// Returns the settings as the text of a new file, without comments.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let mut settings = self.clone();
        settings.pin_streams();
        file::write(&settings, CURRENT)
    }

    /// Writes the settings into `text`, the text of an existing file, and returns the result.
    ///
    /// Replaces only the values that differ. Comments, order and layout stay.
    ///
    /// - A field that `text` does not have is added if its value is not the default.
    /// - An item that is moved or removed from a list takes along the comments on its lines and directly above it.
    /// - If `text` is invalid, the result is that of [`to_ron`](Self::to_ron).
    ///
    /// Does not check ranges. Call [`validate`](Self::validate) first, or the result may fail to load.
    #[must_use]
    pub fn save_into(&self, text: &str) -> String {
        let rewrite = |file: &Document<'_>| {
            check_version(file).ok()?;
            file::parse(file.text()).ok().map(|settings| settings.to_ron())
        };
        save_text(text, &self.to_ron(), rewrite)
    }

    /// Writes the stream that each layer of a file has now into its `text`, and returns the result. No height changes when layers of the
    /// result are renamed, moved or added in an editor. Comments, order and layout stay.
    ///
    /// ```
    /// use perlin_terrain::settings::TerrainSettings;
    ///
    /// let text = "(field: (layers: [(kind: Noise()), (kind: Dunes())])) // two layers";
    /// assert_eq!(
    ///     TerrainSettings::pin_streams_of(text).expect("the text is valid"),
    ///     "(field: (layers: [(stream: 0, kind: Noise()), (stream: 1, kind: Dunes())])) // two layers",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the problems of the text.
    pub fn pin_streams_of(text: &str) -> Result<String, SettingsError> {
        let rewrite = |file: &Document<'_>| file::parse(file.text()).ok().map(|settings| settings.to_ron());
        let settings = Self::from_ron(text)?;
        Ok(save_text_by(text, &settings.to_ron(), &rewrite, |_, _| AllStreams))
    }
}

/// Returns `text` with the values of other settings, and keeps its comments, order and layout.
///
/// `new` has all fields of the other settings. `rewrite` reads a file and writes it with all fields, and returns `None` if it is
/// invalid. If `text` is, the result is `new`.
pub(crate) fn save_text(text: &str, new: &str, rewrite: impl Fn(&Document<'_>) -> Option<String>) -> String {
    save_text_by(text, new, &rewrite, Streams::of)
}

/// The same with the rules for lists that are made from the settings before and after.
fn save_text_by<R: ItemRules>(
    text: &str,
    new: &str,
    rewrite: &impl Fn(&Document<'_>) -> Option<String>,
    rules: impl Fn(&Document<'_>, &Document<'_>) -> R,
) -> String {
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        return format!("\u{feff}{}", save_text_by(rest, new, rewrite, rules));
    }
    let saved = || {
        let file = readable(text).ok()?;
        let old = rewrite(&file)?;
        let [old, after] = [&old, new].map(Document::parse);
        let saved = merged(&file, &old, &after, &rules(&old, &after));
        let is_right = rewrite(&readable(&saved).ok()?)? == new;
        is_right.then_some(saved)
    };
    saved().unwrap_or_else(|| new.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Layer;
    use crate::noise::NoiseSettings;
    use crate::param::{ParamValue, ParamVisitor, Params};
    use crate::settings::streams::tests::{any_damage, damaged};
    use proptest::collection::vec;
    use testing::for_all;

    const FILE: &str = "// Hills (by Ann)\n(\n    field: (\n        seed: 7, // lucky\n        layers: [\n            (kind: Noise(\n                height_scale: 50.0, // metres: \"tall\"\n            )),\n        ],\n    ),\n    // no sea yet\n)\n";

    fn settings() -> TerrainSettings {
        TerrainSettings::from_ron(FILE).expect("the file is valid")
    }

    #[test]
    fn unchanged_settings_leave_the_file_as_it_is() {
        assert_eq!(settings().save_into(FILE), FILE);
    }

    #[test]
    fn a_moved_layer_keeps_its_stream_and_its_comments() {
        let text =
            FILE.replace("        ],\n", "            // fine\n            (kind: Noise(octaves: 2)),\n        ],\n");
        let mut moved = TerrainSettings::from_ron(&text).expect("two layers");
        moved.field.layers.swap(0, 1);
        let saved = moved.save_into(&text);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(moved));
        let fine =
            saved.find("// fine\n            (stream: 1, kind: Noise(octaves: 2)),").expect("the block has moved");
        assert!(fine < saved.find("// metres").expect("it stays"), "{saved}");
        assert!(saved.contains("(stream: 0, kind: Noise("), "{saved}");
    }

    #[test]
    fn layers_with_names_need_no_streams_until_they_are_renamed() {
        let text = "(version: 2, field: (layers: [\n    (name: \"a\", kind: Noise()), // fine\n    (name: \"b\", kind: Dunes()),\n]))\n";
        let file = TerrainSettings::from_ron(text).expect("two layers");
        let mut moved = file.clone();
        moved.field.layers.swap(0, 1);
        moved.field.layers.push(Layer { stream: Some(9), ..Layer::default() });
        let saved = moved.save_into(text);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(moved));
        assert_eq!(saved.matches("stream:").count(), 1, "{saved}");
        let mut renamed = file;
        renamed.field.layers[0].name = "c".to_owned();
        let saved = renamed.save_into(text);
        let stream = crate::field::stream_of_name("a");
        assert_eq!(saved, text.replace("(name: \"a\"", &format!("(stream: {stream}, name: \"c\"")));
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(renamed));
        // A layer that loses its name.
        let mut unnamed = TerrainSettings::from_ron(text).expect("two layers");
        unnamed.field.layers[1].name.clear();
        let saved = unnamed.save_into(text);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(unnamed));
        assert!(saved.contains("// fine"), "{saved}");
    }

    #[test]
    fn a_changed_value_is_replaced_and_every_comment_stays() {
        let mut settings = settings();
        settings.field.seed = 1234;
        settings.field.layers[0].noise_mut().expect("a layer of noise").height_scale = 75.5;
        let expected = FILE.replace("seed: 7", "seed: 1234").replace("50.0", "75.5");
        assert_eq!(settings.save_into(FILE), expected);
    }

    #[test]
    fn a_value_that_is_missing_in_the_file_is_added_to_its_struct() {
        let mut settings = settings();
        settings.field.layers[0].noise_mut().expect("a layer of noise").octaves = 3;
        settings.look.water = true;
        settings.look.water_color = [0.1, 0.2, 0.3];
        let saved = settings.save_into(FILE);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(settings));
        for kept in ["// Hills (by Ann)", "// lucky", "// metres: \"tall\"", "// no sea yet"] {
            assert!(saved.contains(kept), "lost {kept}:\n{saved}");
        }
        assert!(saved.contains("                octaves: 3,\n                height_scale: 50.0"), "{saved}");
    }

    #[test]
    fn layers_can_be_added_and_removed() {
        let mut more = settings();
        more.field.layers.push(Layer { stream: Some(1), ..NoiseSettings { octaves: 2, ..Default::default() }.into() });
        more.field.seed = 8;
        let saved = more.save_into(FILE);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(more));
        for kept in ["// Hills (by Ann)", "// lucky", "// metres: \"tall\"", "// no sea yet"] {
            assert!(saved.contains(kept), "lost {kept}:\n{saved}");
        }
        let mut none = settings();
        none.field.layers.clear();
        assert_eq!(TerrainSettings::from_ron(&none.save_into(FILE)), Ok(none));
    }

    #[test]
    fn one_line_and_empty_files_can_be_saved_into() {
        let mut settings = TerrainSettings::default();
        settings.field.seed = 5;
        for text in ["()", "( )", "(field: ())", "(field: (base_height: 0.0))", "", "nonsense ("] {
            assert_eq!(TerrainSettings::from_ron(&settings.save_into(text)).as_ref(), Ok(&settings), "into {text:?}");
        }
    }

    #[test]
    fn editing_a_layer_that_is_missing_in_the_file_keeps_the_comments() {
        for text in [
            "// KEEP\n()",
            "// KEEP\n(field: (seed: 3))",
            "(\n    // KEEP\n    field: ( // and this\n        seed: 3,\n    ),\n)",
        ] {
            let mut settings = TerrainSettings::from_ron(text).expect("the text is valid");
            settings.field.layers[0].noise_mut().expect("a layer of noise").height_scale = 55.0;
            settings.field.base_height = 2.0;
            let saved = settings.save_into(text);
            assert_eq!(TerrainSettings::from_ron(&saved), Ok(settings), "{saved}");
            assert!(saved.contains("// KEEP"), "{saved}");
            assert_eq!(saved.contains("field: ( // and this\n"), text.contains("and this"), "{saved}");
        }
    }

    #[test]
    fn files_with_carriage_returns_keep_them() {
        let text = FILE.replace('\n', "\r\n");
        let mut edited = settings();
        edited.field.layers[0].noise_mut().expect("a layer of noise").octaves = 3;
        edited.look.water = true;
        edited.field.layers.push(Layer { stream: Some(1), ..Layer::default() });
        let saved = edited.save_into(&text);
        assert_eq!(TerrainSettings::from_ron(&saved), Ok(edited));
        assert_eq!(saved.matches('\n').count(), saved.matches("\r\n").count(), "{saved:?}");
    }

    #[test]
    fn values_out_of_range_keep_the_comments() {
        let mut edited = settings();
        edited.field.base_height = 1e9;
        assert!(edited.save_into(FILE).contains("// lucky"));
    }

    #[test]
    fn random_edits_are_read_back_unchanged() {
        // Where in its range each parameter is set, if it is.
        let edits = vec(proptest::option::weighted(0.25, 0.0..1.0), 100);
        for_all(200, edits, |edits| {
            let (mut edited, mut edits) = (settings(), edits.into_iter().cycle());
            edited.visit(&mut ParamVisitor::new(&mut |_, param, mut value| {
                if let (Some(part), true) = (edits.next().flatten(), param.min.is_finite()) {
                    let number = param.min + (param.max - param.min) * part;
                    value.set(ParamValue::Float(number));
                    value.set(ParamValue::Color([number as f32, 0.5, 0.25]));
                    value.set(ParamValue::Switch(number > 0.5));
                    if param.scale != crate::param::Scale::PowersOfTwo {
                        value.set(ParamValue::Count(number as u32));
                    }
                }
            }));
            let saved = edited.save_into(FILE);
            assert_eq!(TerrainSettings::from_ron(&saved), Ok(edited));
            assert!(saved.contains("// lucky") && saved.contains("// no sea yet"), "{saved}");
        });
    }

    #[test]
    fn broken_texts_can_be_saved_into() {
        for_all(2000, (any_damage(), 0..4_usize), |(damage, count)| {
            let mut new = settings();
            new.field.layers = vec![NoiseSettings { octaves: 3, ..Default::default() }.into(); count];
            let saved = new.save_into(&damaged(FILE, &damage));
            new.pin_streams();
            assert_eq!(TerrainSettings::from_ron(&saved), Ok(new), "{saved}");
        });
    }
}
