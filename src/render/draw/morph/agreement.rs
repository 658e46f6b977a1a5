//! Tests that the constants in Rust and in WGSL agree.

use super::super::TerrainView;
use super::uniform::MAX_VIEWERS;
use crate::chunk::LEVELS;
use crate::render::far_map::TEXELS;
use crate::render::pattern::LATTICES;

const SHADER: &str = include_str!("../morph.wgsl");

#[test]
fn the_shader_has_the_sizes_of_the_uniform() {
    for line in [
        format!("const MAX_VIEWERS: u32 = {MAX_VIEWERS}u;"),
        format!("const FAR_MAPS: u32 = {}u;", TEXELS.len()),
        format!("maps: array<vec4<f32>, {}>,", TEXELS.len()),
        format!("const LAST_LEVEL: u32 = {}u;", LEVELS - 1),
        format!("bands: array<vec4<f32>, {}>,", LEVELS / 2),
        format!("pattern: array<PatternLattice, {LATTICES}>,"),
        format!("viewers: array<MorphViewer, {}>,", 2 * MAX_VIEWERS),
    ] {
        assert!(SHADER.contains(&line), "morph.wgsl lacks `{line}`");
    }
}

#[test]
fn the_shader_has_the_numbers_of_all_views() {
    let views = [("LOOK", TerrainView::Look), ("LEVELS", TerrainView::Levels), ("MORPH", TerrainView::Morph)];
    for (name, view) in views {
        let line = format!("const VIEW_{name}: u32 = {}u;", view as u32);
        assert!(SHADER.contains(&line), "morph.wgsl lacks `{line}`");
    }
    assert_eq!(SHADER.matches("const VIEW_").count(), views.len(), "this test misses a view of the shader");
}
