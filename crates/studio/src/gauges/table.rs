//! The gauges of all images in one or two folders, as a Markdown table.

use super::Gauges;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The head of the table, and what photographs of land in clear air have as a rule.
const HEAD: &str = "\
| image | luma 1 % | luma 99 % | clipped | spectrum | 2 px | 4 px | sky | horizon | tiling |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| *aim* | ≤ 0.08 | ≥ 0.90 | < 0.5 % | -1.0 to -1.3 | ≥ 0.06 | ≥ 0.06 | ≥ 0.04 | < 0.05 | < 0.10 |
";

/// The table of the images in the first folder, compared with those in the second.
pub fn table(folders: &[PathBuf]) -> Result<String, String> {
    let first = folders.first().ok_or("there is no folder")?;
    let names = images(first)?;
    if names.is_empty() {
        return Err(format!("{}: there is no PNG file", first.display()));
    }
    let mut table = HEAD.to_owned();
    for name in names {
        let files = folders.iter().map(|folder| folder.join(&name)).filter(|file| file.exists());
        let gauges: Vec<Gauges> = files.map(|file| Gauges::read(&file)).collect::<Result<_, _>>()?;
        let _ = writeln!(table, "{}", row(name.trim_end_matches(".png"), &gauges));
    }
    Ok(table)
}

/// The names of the images in a folder, in order.
fn images(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".png")).collect();
    names.sort();
    Ok(names)
}

/// The row of an image: one number in each column, or those before and after.
fn row(name: &str, gauges: &[Gauges]) -> String {
    let columns: [fn(&Gauges) -> String; 9] = [
        |gauges| format!("{:.2}", gauges.dark),
        |gauges| format!("{:.2}", gauges.bright),
        |gauges| format!("{:.1} %", 100.0 * gauges.clipped),
        |gauges| optional(gauges.spectrum),
        |gauges| format!("{:.3}", gauges.bands[0]),
        |gauges| format!("{:.3}", gauges.bands[1]),
        |gauges| optional(gauges.sky),
        |gauges| optional(gauges.horizon),
        |gauges| optional(gauges.tiling),
    ];
    let cells = columns.map(|column| gauges.iter().map(column).collect::<Vec<_>>().join(" → "));
    format!("| {name} | {} |", cells.join(" | "))
}

fn optional(gauge: Option<f64>) -> String {
    gauge.map_or("-".to_owned(), |gauge| format!("{gauge:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gauges::Luma;

    /// Writes a gray image.
    fn save(luma: &Luma, file: &Path) {
        let bytes: Vec<u8> = luma.pixels.iter().map(|luma| (luma * 255.0).round() as u8).collect();
        let file = std::fs::File::create(file).expect("the folder can be written");
        let mut encoder = png::Encoder::new(file, luma.width as u32, luma.height as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().expect("the head is valid");
        writer.write_image_data(&bytes).expect("the image is whole");
    }

    /// An image with lumas from `from` to `to`, in equal parts.
    fn ramp(from: f64, to: f64) -> Luma {
        let pixels = (0..100 * 100).map(|index| from + (to - from) * f64::from(index) / 9999.0).collect();
        Luma { width: 100, height: 100, pixels }
    }

    #[test]
    fn two_folders_stand_side_by_side() {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("there is a folder"));
        save(&ramp(0.2, 0.8), &folders[0].path().join("hills.png"));
        save(&ramp(0.0, 1.0), &folders[1].path().join("hills.png"));
        save(&ramp(0.2, 0.8), &folders[0].path().join("alps.png"));
        std::fs::write(folders[0].path().join("notes.txt"), "").expect("the folder can be written");
        let paths = folders.each_ref().map(|folder| folder.path().to_owned());
        let table = table(&paths).expect("the images can be read");
        let rows: Vec<&str> = table.lines().skip(3).collect();
        assert_eq!(rows.len(), 2, "{table}");
        assert!(rows[0].starts_with("| alps | 0.21 | 0.79 | 0.0 % | "), "{table}");
        // Three of 256 shades are black or white within one step.
        assert!(rows[1].starts_with("| hills | 0.21 → 0.01 | 0.79 → 0.99 | 0.0 % → 1."), "{table}");
        let columns = |row: &str| row.matches(" | ").count();
        assert!(table.lines().all(|row| columns(row) == columns(HEAD.lines().next().unwrap_or_default())), "{table}");
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().expect("there is a folder");
        let path = [folder.path().to_owned()];
        assert!(table(&path).is_err_and(|error| error.contains("no PNG file")));
        std::fs::write(path[0].join("broken.png"), "no image").expect("the folder can be written");
        assert!(table(&path).is_err_and(|error| error.contains("broken.png: ")));
    }
}
