//! Rays against brute force over all triangles that are drawn.

use super::*;
use crate::chunk::{
    ChunkBuilder, ChunkGeometry, LevelErrors, LodQuadtree, LodRanges, Morph, Viewer, ViewerPoint, triangle_indices,
};
use crate::ground::Ground;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use testing::for_all;
use testing::rough_ground;

/// Some hundred chunks of four levels around a viewer.
struct Drawn {
    ground: Ground,
    /// The position of the viewer.
    center: [f64; 2],
    viewers: Vec<Viewer>,
    tree: LodQuadtree,
    tiles: HashMap<ChunkCoord, Arc<HeightTile>>,
    /// Relative to the center in x and z.
    triangles: Vec<[[f64; 3]; 3]>,
}

impl Drawn {
    /// How far the viewer sees, in metres.
    const VIEW: f64 = 700.0;

    fn new(far: f64, morphs: bool) -> Self {
        let (ground, center) = (rough_ground(4.0), [far + 3.0, 5.0 - far]);
        let point = ViewerPoint {
            position: [center[0], 10.0, center[1]],
            forward: [1.0, 0.0],
            view_distance: Self::VIEW,
            projection_scale: 1000.0,
            is_orthographic: false,
        };
        let errors = LevelErrors::known(&[2.0, 4.0, 8.0, 16.0, 32.0]);
        let ranges = LodRanges::wanted(ground.layout(), Some(&errors), &point, 0.0, 20.0, LodRanges::MAX_CHUNKS);
        let viewers = vec![Viewer::new(ground.layout(), point, ranges, ground.field().bounds())];
        let tree = LodQuadtree::select(ground.layout(), &viewers, &LodQuadtree::default());
        let viewers = if morphs { viewers } else { vec![] };
        let (mut tiles, mut triangles) = (HashMap::new(), vec![]);
        for &leaf in tree.leaves() {
            tiles.insert(leaf, ground.tile(leaf));
            let corner = ground.layout().origin(leaf);
            let geometry = ChunkBuilder::default().build(ground.field(), ground.layout(), leaf);
            let ChunkGeometry { positions, coarse_heights, side, .. } = geometry;
            let morph = Morph::new(&viewers, corner);
            let vertices: Vec<[f64; 3]> = (positions.iter().zip(coarse_heights))
                .map(|(&[x, own, z], coarse)| {
                    let height = Morph::between(own, coarse, morph.factor(leaf.level, [x, z]));
                    let [west, north] = [0, 1].map(|axis| corner[axis] - center[axis]);
                    [west + f64::from(x), height.into(), north + f64::from(z)]
                })
                .collect();
            let indices = triangle_indices(side, tree.stitch_mask(leaf));
            triangles
                .extend(indices.as_chunks::<3>().0.iter().map(|corners| corners.map(|at| vertices[usize::from(at)])));
        }
        assert!(tree.leaves_per_level().len() >= 3 && triangles.len() > 20_000, "{:?}", tree.leaves_per_level());
        Self { ground, center, viewers, tree, tiles, triangles }
    }

    /// The distance of the first hit of a ray, relative to the center, and its chunk.
    fn hit(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<(f64, ChunkCoord)> {
        let layout = *self.ground.layout();
        let drawn = DrawnTerrain { layout: &layout, tree: &self.tree, viewers: self.viewers.clone() };
        let origin = [origin[0] + self.center[0], origin[1], origin[2] + self.center[1]];
        let tile = |chunk| self.tiles.get(&chunk).map(|tile| &**tile);
        let (_, crossing, chunk) = drawn.first_hit([origin, direction], self.ground.field().bounds(), tile)?;
        Some((crossing.distance, chunk))
    }

    /// The distance of the first triangle that a ray hits from above: Möller and Trumbore, "Fast, minimum storage ray/triangle
    /// intersection", 1997.
    fn brute_force(&self, origin: [f64; 3], direction: [f64; 3]) -> Option<f64> {
        let length = dot(direction, direction).sqrt();
        let direction = direction.map(|part| part / length);
        let distance = |[a, b, c]: [[f64; 3]; 3]| {
            let (to_b, to_c, from_a) = (minus(b, a), minus(c, a), minus(origin, a));
            let (p, q) = (cross(direction, to_c), cross(from_a, to_b));
            let det = dot(to_b, p);
            let (u, v, t) = (dot(from_a, p) / det, dot(direction, q) / det, dot(to_c, q) / det);
            (det > 1e-12 && u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9 && t >= 0.0).then_some(t)
        };
        self.triangles.iter().filter_map(|&triangle| distance(triangle)).reduce(f64::min)
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/// The ends of a ray: anywhere in the view or beyond it, over vertices, along an axis, along a diagonal, vertical, nearly level.
fn ends() -> impl Strategy<Value = [[f64; 3]; 2]> {
    let along = || prop_oneof![-800.0..800.0, (-100..100_i32).prop_map(|vertex| f64::from(vertex) * 4.0 - 3.0)];
    let height = || prop_oneof![3 => -60.0..120.0, 1 => 0.0..30.0];
    ([along(), along(), along(), along()], [height(), height()], 0..8_u8).prop_map(
        |([x, z, to_x, to_z], [y, to_y], kind)| {
            let to = match kind {
                0 => [x, -200.0, z],
                1 => [to_x, to_y, z],
                2 => [x, to_y, to_z],
                3 => [x + 300.0, y - 20.0, z - 300.0],
                4 => [x, 200.0, z],
                _ => [to_x, to_y, to_z],
            };
            [[x, y, z], to]
        },
    )
}

#[test]
fn a_ray_hits_what_brute_force_over_the_drawn_triangles_hits() {
    let all: Vec<Drawn> = [(0.0, false), (0.0, true), (1e7, true)].map(|(far, morphs)| Drawn::new(far, morphs)).into();
    let (counts, levels) = ([0; 2].map(Cell::new), [0; 8].map(Cell::new));
    for_all(1500, (0..all.len(), ends()), |(number, [from, to])| {
        let (drawn, direction) = (&all[number], minus(to, from));
        let (hit, expected) = (drawn.hit(from, direction), drawn.brute_force(from, direction));
        match (hit, expected) {
            (Some((distance, chunk)), Some(expected)) => {
                assert!((distance - expected).abs() < 1e-3, "{distance} for {expected}, {from:?} to {to:?}");
                levels[usize::from(chunk.level)].update(|count| count + 1);
                counts[0].update(|count| count + 1);
            }
            (None, None) => counts[1].update(|count| count + 1),
            other => panic!("{other:?} from {from:?} to {to:?}"),
        }
    });
    let [hits, misses] = counts.map(Cell::into_inner);
    let levels = levels.map(Cell::into_inner);
    assert!(hits > 200 && misses > 200 && levels[..3].iter().all(|&hits| hits > 20), "{hits}, {misses}, {levels:?}");
}

#[test]
fn a_leaf_without_heights_is_a_hole() {
    let mut drawn = Drawn::new(0.0, false);
    let ([origin, down], leaf) = ([[0.0, 500.0, 0.0], [0.0, -1.0, 0.0]], drawn.ground.layout().chunk_at(0, 3.0, 5.0));
    assert_eq!(drawn.hit(origin, down).expect("there is ground").1, leaf);
    drawn.tiles.remove(&leaf);
    assert_eq!(drawn.hit(origin, down), None);
    // Through the hole and below its neighbor: the ground has no walls.
    let [west, north] = drawn.ground.layout().origin(leaf);
    let [x, z] = [west + drawn.ground.layout().chunk_size(0) - 6.0, north + 32.0];
    let start = [x - drawn.center[0], drawn.ground.height(x, z) + 4.0, z - drawn.center[1]];
    // Steeper than any ground, so it crosses the leaf 4 m ahead or before, and no other. It is still above the lowest ground then.
    let under = [1.0, -3.0, 0.0];
    assert!(start[1] - 3.0 * 6.0 > drawn.ground.field().bounds().0.into());
    let crosses_hole = drawn.brute_force(start, under).is_some();
    assert!(crosses_hole && drawn.hit(start, under).is_none());
}

#[test]
fn numbers_that_are_not_finite_hit_nothing() {
    let drawn = Drawn::new(0.0, true);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let (mut origin, mut direction) = ([0.0, 500.0, 0.0], [0.1, -1.0, 0.2]);
            assert!(drawn.hit(origin, direction).is_some());
            origin[axis] = bad;
            assert_eq!(drawn.hit(origin, direction), None);
            direction[axis] = bad;
            assert_eq!(drawn.hit([0.0, 500.0, 0.0], direction), None);
        }
    }
    assert_eq!(drawn.hit([0.0, 500.0, 0.0], [0.0; 3]), None);
    // A level ray within the bounds of the ground, away from all that is drawn.
    assert_eq!(drawn.hit([1e6, 10.0, 0.0], [1.0, 0.0, 1e-9]), None);
    assert_eq!(drawn.hit([0.0, 1e300, 0.0], [0.0, 1.0, 0.0]), None);
}
