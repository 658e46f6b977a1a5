//! Links between pages, images, and the length of the README.

use super::{Page, names_in, pages, pages_and_examples, read};
use std::fs;
use std::path::Path;

const IMAGE_FOLDERS: [&str; 4] =
    ["assets/pictures", "docs/pictures", "crates/perlin_fbm/docs", "crates/perlin_terrain/docs"];

/// The targets of the links and images of a page.
fn targets(page: &Page) -> Vec<String> {
    let mut targets = Vec::new();
    for line in page.prose() {
        for link in line.split("](").skip(1) {
            targets.extend(link.split_once(')').map(|(target, _)| target.to_owned()));
        }
    }
    targets
}

/// The anchors of the headings of a page, as GitHub makes them.
fn anchors(page: &Page) -> Vec<String> {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let headings = page.prose().into_iter().filter(|line| line.starts_with('#'));
    let anchor = |line: String| line.trim_start_matches('#').trim().to_lowercase().chars().filter(is_kept).collect();
    headings.map(anchor).map(|anchor: String| anchor.replace(' ', "-")).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let mut wrong = Vec::new();
    for page in pages_and_examples() {
        for target in targets(&page) {
            if target.starts_with("https://") || target.starts_with("http://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = match file {
                "" => page.path.clone(),
                file => page.path.parent().unwrap_or(Path::new("")).join(file),
            };
            let is_there = path.exists();
            if !is_there || (!anchor.is_empty() && !anchors(&Page::read(path)).iter().any(|known| known == anchor)) {
                wrong.push(format!("{}: {target}", page.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_index_of_the_readme() {
    let readme = Page::read("README.md");
    let linked = targets(&readme);
    for page in pages().into_iter().skip(1) {
        let path = page.path.to_str().expect("a plain name").replace('\\', "/");
        assert!(linked.contains(&path), "the README does not link {path}");
    }
}

#[test]
fn every_image_is_shown_somewhere_and_is_small_enough_to_download() {
    let mut shown: String = pages_and_examples().iter().flat_map(targets).collect::<Vec<_>>().join("\n");
    // The documentation of the code embeds its images.
    for file in ["crates/perlin_terrain/src/chunk.rs", "crates/perlin_fbm/src/fade.rs"] {
        shown += &read(file);
    }
    for folder in IMAGE_FOLDERS {
        for name in names_in(folder).into_iter().filter(|name| !name.ends_with(".md")) {
            assert!(shown.contains(&format!("/{name}")), "no page shows {folder}/{name}");
            let size = fs::metadata(Path::new(folder).join(&name)).expect("the file is there").len();
            assert!(size <= 300_000, "{name} has {size} bytes");
        }
    }
}

#[test]
fn the_readme_fits_on_two_hundred_lines() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 200, "{lines} lines");
}
