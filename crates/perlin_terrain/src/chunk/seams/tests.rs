//! Random quadtrees have no seams, and the report finds each kind of seam that a test creates on purpose.

mod scene;

use self::scene::{Scene, any_scene};
use super::*;
use crate::chunk::LEVELS;
use std::cell::Cell;
use testing::for_all;

/// Checks 900 scenes up to these distances from the origin, with about three hundred borders each.
fn assert_random_quadtrees_have_no_seam(distances: &'static [f64]) {
    let borders = Cell::new(0);
    for_all(900, any_scene(distances), |input| {
        let scene = Scene::new(&input);
        scene.assert_tiled();
        for report in scene.reports() {
            let seams = report.seams.len();
            assert!(seams == 0, "{:?} and {} more seams", report.seams[0], seams - 1);
            borders.set(borders.get() + report.borders);
        }
    });
    // Each border was checked with the morph and without.
    let borders = borders.get() / 2;
    assert!(borders > 250_000, "only {borders} borders were checked");
}

// These four tests check a million borders.

#[test]
fn random_quadtrees_at_the_origin_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_have_no_seam(&[0.0]);
}

#[test]
fn random_quadtrees_within_a_kilometre_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_have_no_seam(&[1e3]);
}

#[test]
fn random_quadtrees_within_a_thousand_kilometres_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_have_no_seam(&[1e6]);
}

#[test]
fn random_quadtrees_within_a_million_kilometres_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_have_no_seam(&[1e9]);
}

/// Distances from the origin, in metres.
const DISTANCES: &[f64] = &[0.0, 1e3, 1e6, 1e9];

#[test]
fn a_report_is_the_same_when_its_chunks_are_built_for_it() {
    for_all(20, any_scene(DISTANCES), |input| {
        let scene = Scene::new(&input);
        assert_eq!(scene.reports(), [scene.report(&scene.morph()), scene.report(&Morph::STILL)]);
    });
}

/// The number of scenes, of 200, with a seam of `kind` in their `broken` report.
fn scenes_with(kind: fn(SeamKind) -> bool, broken: impl Fn(&Scene) -> SeamReport) -> usize {
    let found = Cell::new(0);
    for_all(200, any_scene(DISTANCES), |input| {
        let has_seam = broken(&Scene::new(&input)).seams.iter().any(|seam| kind(seam.kind));
        found.set(found.get() + usize::from(has_seam));
    });
    found.get()
}

#[test]
fn a_height_that_depends_on_the_chunk_is_a_gap() {
    let found = scenes_with(
        |kind| matches!(kind, SeamKind::Gap(_)),
        |scene| {
            scene.broken_report(|vertices, chunk, _, _| {
                if chunk.x & 1 == 1 {
                    // One unit in the last place.
                    vertices.iter_mut().for_each(|vertex| vertex.position[1] = vertex.position[1].next_up());
                }
            })
        },
    );
    assert!(found > 100, "{found} of 200");
}

#[test]
fn a_border_without_stitching_is_a_t_junction() {
    let found = scenes_with(
        |kind| kind == SeamKind::TJunction,
        |scene| scene.broken_report(|_, _, edges, _| *edges = StitchMask::NONE),
    );
    assert!(found > 100, "{found} of 200");
}

#[test]
fn a_factor_that_depends_on_the_chunk_is_a_gap() {
    let found = scenes_with(
        |kind| matches!(kind, SeamKind::Gap(_)),
        |scene| {
            scene.broken_report(|vertices, chunk, _, morph| {
                let [x, z] = scene.layout.origin(chunk);
                let position = [(x - scene.center[0]) as f32, (z - scene.center[1]) as f32];
                let factor = morph.factor(chunk.level, position);
                for ChunkVertex { position, coarse_height, .. } in vertices {
                    position[1] = Morph::between(position[1], *coarse_height, factor);
                }
                *morph = Morph::STILL;
            })
        },
    );
    assert!(found > 50, "{found} of 200");
}

#[test]
fn a_morph_around_other_viewers_than_those_of_the_quadtree_is_a_gap() {
    let found = scenes_with(
        |kind| matches!(kind, SeamKind::Gap(_)),
        |scene| {
            let mut elsewhere = scene.viewers.clone();
            for viewer in &mut elsewhere {
                viewer.point.position[0] += 20.0 * scene.layout.chunk_size(0);
            }
            scene.report(&Morph::new(&elsewhere, scene.center))
        },
    );
    assert!(found > 50, "{found} of 200");
}

#[test]
fn normals_that_do_not_morph_are_a_crease() {
    let found = scenes_with(
        |kind| matches!(kind, SeamKind::Crease(_)),
        |scene| {
            scene.broken_report(|vertices, _, _, _| {
                vertices.iter_mut().for_each(|vertex| vertex.coarse_normal = [vertex.normal[0], vertex.normal[2]]);
            })
        },
    );
    assert!(found > 50, "{found} of 200");
}

#[test]
fn ranges_that_are_too_close_together_give_a_level_jump() {
    let found = scenes_with(
        |kind| kind == SeamKind::LevelJump,
        |scene| {
            let mut viewers = scene.viewers.clone();
            for viewer in &mut viewers {
                // All coarser levels get the range of level 2, without the distances that `keep_apart` would add.
                for level in (3..LEVELS as u8).rev() {
                    viewer.ranges.limit(level, viewer.ranges.split(2));
                }
            }
            let tree = LodQuadtree::select(&scene.layout, &viewers, &LodQuadtree::default());
            let report = seam_report(&scene.field, &scene.layout, &tree, &Morph::STILL, scene.center);
            for jump in report.seams.iter().filter(|seam| seam.kind == SeamKind::LevelJump) {
                assert!(jump.neighbor.level > jump.chunk.level + 1);
                let [x, z] = scene.layout.origin(jump.chunk);
                assert_eq!(jump.vertex, scene.layout.grid(jump.chunk, 0).origin);
                assert_eq!(jump.height, scene.field.height(x, z), "{jump:?} is not at a corner");
            }
            report
        },
    );
    assert!(found > 50, "{found} of 200");
}
