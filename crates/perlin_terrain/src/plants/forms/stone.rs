//! Boulders: a ball that planes have cut.

use super::builder::FormBuilder;
use super::vector::{Vec3, add, cross, dot, mix, scaled, sub, unit};
use crate::plants::PlantKind;

/// The corners of an icosahedron, and its faces.
const GOLDEN: f32 = 1.618_034;
const CORNERS: [Vec3; 12] = [
    [-1.0, GOLDEN, 0.0],
    [1.0, GOLDEN, 0.0],
    [-1.0, -GOLDEN, 0.0],
    [1.0, -GOLDEN, 0.0],
    [0.0, -1.0, GOLDEN],
    [0.0, 1.0, GOLDEN],
    [0.0, -1.0, -GOLDEN],
    [0.0, 1.0, -GOLDEN],
    [GOLDEN, 0.0, -1.0],
    [GOLDEN, 0.0, 1.0],
    [-GOLDEN, 0.0, -1.0],
    [-GOLDEN, 0.0, 1.0],
];
const FACES: [[usize; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

pub(super) fn stone(form: &mut FormBuilder) {
    // Each plane cuts off what is beyond it.
    let mut planes: Vec<(Vec3, f32)> = Vec::new();
    for _ in 0..14 {
        let normal = form.direction();
        planes.push((normal, form.random(0.62, 0.95)));
    }
    let flat = form.random(0.62, 0.85);
    let long = form.random(0.8, 1.0);
    let place = |direction: Vec3| {
        let cut = |&(normal, away): &(Vec3, f32)| away / dot(direction, normal).max(1e-3);
        let radius = planes.iter().map(cut).fold(1.0, f32::min);
        let [x, y, z] = scaled(direction, 0.5 * radius);
        [x, y * flat + 0.12, z * long]
    };
    let middle = |a: Vec3, b: Vec3| unit(mix(a, b, 0.5));
    for face in FACES {
        let [a, b, c] = face.map(|corner| unit(CORNERS[corner]));
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        for directions in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            let corners = directions.map(place);
            let normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])));
            // Edges are worn: a face is lit a little as a ball would be.
            let normals = directions.map(|direction| unit(add(scaled(normal, 0.75), scaled(direction, 0.25))));
            // What is near the ground is darker.
            let low = corners.iter().map(|corner| corner[1]).sum::<f32>() / 3.0;
            let light = (0.75 + 0.9 * low).clamp(0.55, 1.05) * form.random(0.93, 1.07);
            form.face(corners, normals, scaled(PlantKind::Stone.color(), light));
        }
    }
}
