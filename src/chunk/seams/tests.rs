//! Random quadtrees have no seams, and the report finds each kind of seam that a test creates on purpose.

use super::*;
use crate::chunk::{ChunkSettings, LEVELS, LevelErrors, LodRanges, Viewer, ViewerPoint};
use crate::field::FieldSettings;
use crate::noise::{FractalShape, NoiseRng, NoiseSettings};

/// A terrain, its viewers, and their quadtree.
struct Scene {
    field: HeightField,
    layout: ChunkLayout,
    viewers: Vec<Viewer>,
    tree: LodQuadtree,
    center: [f64; 2],
    case: String,
}

fn pick<T: Copy>(rng: &mut NoiseRng, items: &[T]) -> T {
    items[rng.next_u32() as usize % items.len()]
}

fn between(rng: &mut NoiseRng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.next_unit()
}

fn random_field(rng: &mut NoiseRng) -> FieldSettings {
    let mut layer = || NoiseSettings {
        shape: pick(rng, &[FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow]),
        octaves: 1 + rng.next_u32() % 6,
        frequency: libm::pow(10.0, between(rng, -5.0, 0.0)),
        persistence: between(rng, 0.1, 1.0),
        // From almost flat to absurdly high.
        height_scale: libm::pow(10.0, between(rng, -2.0, 4.0)),
        ..Default::default()
    };
    let layers = [layer(), layer()];
    let (seed, layer_count) = (u64::from(rng.next_u32()), rng.next_u32() as usize % 3);
    FieldSettings { seed, base_height: 0.0, layers: layers[..layer_count].to_vec() }
}

impl Scene {
    /// How far from the origin a random scene may lie, in metres.
    fn far_of(seed: u64) -> f64 {
        [0.0, 1e3, 1e6, 1e9][(seed % 4) as usize]
    }

    /// Up to three viewers anywhere within a billion metres of the origin, some of them with a tree that is still filling
    /// up, or that has followed them for a few steps.
    fn random(seed: u64) -> Self {
        let rng = &mut NoiseRng::new(seed, 0);
        let settings = random_field(rng);
        let spacing = pick(rng, &[0.5, 1.0, 4.0, 30.0]);
        let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing });
        let field = HeightField::new(&settings);
        // Measuring errors would take longer than all other steps. Any errors will do here.
        let error = libm::pow(10.0, between(rng, -3.0, 1.0)) * spacing;
        let mut sum = 0.0;
        let errors: Vec<f32> = std::iter::repeat_with(|| {
            sum += error as f32 * between(rng, 0.0, 2.0) as f32;
            sum
        })
        .take(LEVELS - 1)
        .collect();
        let errors = LevelErrors::known(&errors);
        let far = Self::far_of(seed);
        let center = [between(rng, -far, far), between(rng, -far, far)].map(f64::round);
        let side = layout.chunk_size(0);
        let view_distance = side * pick(rng, &[3.0, 8.0, 20.0, 40.0]);
        let mut points: Vec<ViewerPoint> = (0..=rng.next_u32() % 3)
            .map(|_| {
                let apart = view_distance * 1.5;
                let place = [0, 1].map(|axis| center[axis] + between(rng, -apart, apart));
                let height = pick(rng, &[0.0, 10.0, 500.0]);
                ViewerPoint {
                    position: [place[0], height, place[1]],
                    forward: [1.0, 0.0],
                    view_distance: view_distance * pick(rng, &[0.2, 1.0]),
                    projection_scale: pick(rng, &[50.0, 300.0, 1500.0]),
                }
            })
            .collect();
        let pixel_error = pick(rng, &[0.5, 2.0, 8.0]);
        let loading: Vec<Option<(u8, f64)>> = points
            .iter()
            .map(|_| (rng.next_u32().is_multiple_of(3)).then(|| (1 + (rng.next_u32() % 5) as u8, rng.next_unit())))
            .collect();
        let mut tree = LodQuadtree::default();
        let mut viewers = Vec::new();
        for step in 0..1 + rng.next_u32() % 3 {
            if step > 0 {
                for point in &mut points {
                    point.position[0] += between(rng, -0.3, 0.3) * side;
                    point.position[2] += between(rng, -0.3, 0.3) * side;
                }
            }
            viewers = points
                .iter()
                .zip(&loading)
                .map(|(point, loading)| {
                    let mut ranges = LodRanges::wanted(&layout, Some(&errors), point, pixel_error, 400.0);
                    if let &Some((level, part)) = loading {
                        // As if a chunk of this level were still missing.
                        ranges.limit(level, ranges.split(level) * part);
                        ranges.keep_apart();
                        let coarsest = LodQuadtree::coarsest_level(&layout, point.view_distance);
                        ranges = ranges.max(&LodRanges::least(&layout, level.min(coarsest)));
                    }
                    Viewer::new(&layout, *point, ranges, field.bounds())
                })
                .collect();
            tree = LodQuadtree::select(&layout, &viewers, &tree);
        }
        let case = format!("test seed {seed}: {settings:?}, {layout:?}, {points:?}, {pixel_error}, {loading:?}");
        Self { field, layout, viewers, tree, center, case }
    }

    fn morph(&self) -> Morph {
        Morph::new(&self.viewers, self.center)
    }

    fn report(&self, morph: &Morph) -> SeamReport {
        seam_report(&self.field, &self.layout, &self.tree, morph, self.center)
    }

    /// The reports with the morph and without, on chunks that are built once for both.
    fn reports(&self) -> [SeamReport; 2] {
        let mut builder = ChunkBuilder::default();
        let leaves = self.tree.leaves().iter();
        let built: CoordMap<_> = leaves.map(|&leaf| (leaf, builder.build(&self.field, &self.layout, leaf))).collect();
        let outlines: Vec<Outline> = StitchMask::all().map(|edges| Outline::new(&self.layout, edges)).collect();
        [self.morph(), Morph::STILL].map(|morph| {
            report(&self.tree, !morph.viewers().is_empty(), |chunk, edges| {
                let outline =
                    outlines.iter().find(|outline| outline.edges == edges).expect("every mask has an outline");
                outline.drawn(&self.layout, chunk, &built[&chunk], &morph, self.center)
            })
        })
    }

    /// The report on chunks that are drawn wrongly.
    fn broken_report(
        &self,
        change: impl Fn(&mut ChunkGeometry, ChunkCoord, &mut StitchMask, &mut Morph),
    ) -> SeamReport {
        let mut builder = ChunkBuilder::default();
        report(&self.tree, true, |chunk, mut edges| {
            let mut geometry = builder.build(&self.field, &self.layout, chunk);
            let mut morph = self.morph();
            change(&mut geometry, chunk, &mut edges, &mut morph);
            Outline::new(&self.layout, edges).drawn(&self.layout, chunk, &geometry, &morph, self.center)
        })
    }

    /// Asserts that no leaf lies over another, and that every place within view of a viewer lies in a leaf.
    fn assert_tiled(&self) {
        // Chunks of which one holds the other compare equal.
        let leaves = self.tree.leaves();
        assert!(leaves.is_sorted_by(|one, other| one.compare_places(*other).is_lt()), "{}", self.case);
        for viewer in &self.viewers {
            let ([x, z], view) = (viewer.place(), viewer.point.view_distance * 0.999);
            for step in 0..32 {
                let (radius, angle) = (view * f64::from(step) / 31.0, f64::from(step));
                let (x, z) = (x + radius * libm::cos(angle), z + radius * libm::sin(angle));
                let over = self.tree.leaves_in(self.layout.chunk_at(0, x, z)).len();
                assert_eq!(over, 1, "chunks {radius} m from a viewer: {}", self.case);
            }
        }
    }
}

/// Checks random scenes up to so many metres from the origin, about three hundred borders each.
fn assert_random_quadtrees_are_whole(far: f64) {
    let mut borders = 0;
    for seed in (0_u64..).filter(|&seed| Scene::far_of(seed) == far).take(900) {
        let scene = Scene::random(seed);
        scene.assert_tiled();
        for report in scene.reports() {
            let seams = report.seams.len();
            assert!(seams == 0, "{:?} and {} more: {}", report.seams[0], seams - 1, scene.case);
            borders += report.borders;
        }
    }
    // Each border was walked with the morph and without.
    assert!(borders > 2 * 250_000, "only {borders} borders were walked");
}

// Together they walk a million borders.

#[test]
fn random_quadtrees_at_the_origin_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_are_whole(0.0);
}

#[test]
fn random_quadtrees_within_a_kilometre_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_are_whole(1e3);
}

#[test]
fn random_quadtrees_within_a_thousand_kilometres_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_are_whole(1e6);
}

#[test]
fn random_quadtrees_within_a_million_kilometres_tile_the_ground_and_have_no_seam() {
    assert_random_quadtrees_are_whole(1e9);
}

#[test]
fn a_report_is_the_same_when_its_chunks_are_built_for_it() {
    for seed in 0..20 {
        let scene = Scene::random(seed);
        assert_eq!(scene.reports(), [scene.report(&scene.morph()), scene.report(&Morph::STILL)], "{}", scene.case);
    }
}

/// The number of scenes, of 200, that have a seam of `kind` when `broken` draws them wrong.
fn scenes_with(kind: fn(SeamKind) -> bool, broken: impl Fn(&Scene) -> SeamReport) -> usize {
    (0..200).filter(|&seed| broken(&Scene::random(seed)).seams.iter().any(|seam| kind(seam.kind))).count()
}

#[test]
fn a_height_that_depends_on_the_chunk_is_a_gap() {
    let found = scenes_with(
        |kind| matches!(kind, SeamKind::Gap(_)),
        |scene| {
            scene.broken_report(|geometry, chunk, _, _| {
                if chunk.x & 1 == 1 {
                    // One unit in the last place.
                    geometry.positions.iter_mut().for_each(|position| position[1] = position[1].next_up());
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
            scene.broken_report(|geometry, chunk, _, morph| {
                let [x, z] = scene.layout.origin(chunk);
                let place = [(x - scene.center[0]) as f32, (z - scene.center[1]) as f32];
                let factor = morph.factor(chunk.level, place);
                for (position, coarse) in geometry.positions.iter_mut().zip(&geometry.coarse_heights) {
                    position[1] = Morph::between(position[1], *coarse, factor);
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
            scene.broken_report(|geometry, _, _, _| {
                let own = geometry.normals.iter().map(|&[x, _, z]| [x, z]);
                geometry.coarse_normals = own.collect();
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
