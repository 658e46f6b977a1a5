//! Tests of patches: where they lie, and what they are beside chunks.

use super::*;
use crate::chunk::CoordMap;
use crate::chunk::{ChunkBorders, ChunkBuilder, ChunkSettings, Cover, LevelErrors, Reach, Side, Viewer, ViewerPoint};
use crate::field::{FieldSettings, HeightField};
use crate::noise::NoiseRng;

fn layout() -> ChunkLayout {
    ChunkLayout::new(&ChunkSettings { quads: 64, spacing: 4.0 })
}

#[test]
fn a_patch_holds_what_it_is_made_for_and_no_finer_one_would() {
    let (layout, mut rng) = (layout(), NoiseRng::new(4, 0));
    for far in [0.0, 1e4, 1e9] {
        for _ in 0..500 {
            let min = [0, 1].map(|_| far * (rng.next_unit() - 0.5));
            let max = min.map(|start| start + 1e5 * rng.next_unit().powi(4));
            let patch = GroundPatch::around(&layout, min, max).expect("it is not too large");
            assert!(patch.contains(&layout, min, max), "{patch:?} from {min:?} to {max:?}");
            let extent = (max[0] - min[0]).max(max[1] - min[1]);
            let spacing = layout.spacing(patch.level);
            let size = spacing * f64::from(patch.quads);
            assert!(patch.level == 0 || extent + 0.75 * spacing > size / 2.0);
            // A little aside, it still holds it.
            let aside = |place: [f64; 2]| place.map(|along| along + 0.24 * spacing);
            assert!(patch.contains(&layout, aside(min), aside(max)));
            assert!(!patch.contains(&layout, min, max.map(|end| end + size)));
        }
    }
    assert_eq!(GroundPatch::around(&layout, [0.0; 2], [1e13; 2]), None);
    assert_eq!(GroundPatch::around(&layout, [f64::NAN; 2], [f64::NAN; 2]), None);
}

#[test]
fn whoever_stands_on_a_patch_is_not_below_it() {
    let (layout, field) = (layout(), HeightField::new(&FieldSettings::default()));
    let (mut builder, mut rng) = (ChunkBuilder::default(), NoiseRng::new(5, 0));
    let patch = GroundPatch { level: 6, corner: [-20, 1000], quads: 33 };
    let ([min, max], nothing) = (patch.corners(&layout), PatchNeighbours::default());
    let plain = builder.build_patch(&field, &layout, &patch, &nothing, unknown, &[]).geometry;
    let (spacing, mut lowered) = (layout.spacing(6), 0);
    for _ in 0..200 {
        let places = [0, 1].map(|_| min.map(|start| start + (max[0] - min[0]) * rng.next_unit()));
        let surface = builder.build_patch(&field, &layout, &patch, &nothing, unknown, &places).geometry;
        for place in places {
            let at = [0, 1].map(|axis| (place[axis] - min[axis]) / spacing);
            let [column, row] = at.map(|along| along as usize);
            let height = |dx: usize, dz: usize| f64::from(surface.positions[(row + dz) * 34 + column + dx][1]);
            let corners = [height(0, 0), height(1, 0), height(0, 1), height(1, 1)];
            let here = quad_height(corners, at[0] - column as f64, at[1] - row as f64);
            let ground = f64::from(field.height(place[0], place[1]));
            assert!(here < ground + 1e-3, "the surface is at {here} m, the ground at {ground} m");
        }
        for (now, then) in surface.positions.iter().zip(&plain.positions) {
            assert!(now[1] <= then[1]);
            let far = |place: &[f64; 2]| {
                libm::hypot(f64::from(now[0]) + min[0] - place[0], f64::from(now[2]) + min[1] - place[1])
                    > 4.0 * spacing
            };
            assert!(now == then || !places.iter().all(far), "far away, all is as it was");
            lowered += usize::from(now != then);
        }
    }
    assert!(lowered > 1000, "{lowered} vertices make way");
    // Who is not on it changes nothing.
    let nobody = [[1e9, 0.0], [f64::NAN, 0.0]];
    assert_eq!(builder.build_patch(&field, &layout, &patch, &nothing, unknown, &nobody).geometry, plain);
}

#[test]
fn the_surface_of_a_patch_is_that_of_the_chunk_in_its_place_and_moves_nowhere() {
    let (layout, field) = (layout(), HeightField::new(&FieldSettings::default()));
    let (mut builder, nothing) = (ChunkBuilder::default(), PatchNeighbours::default());
    let chunk = ChunkCoord { level: 5, x: -2, z: 7 };
    let patch = GroundPatch::of_chunk(&layout, chunk);
    let PatchSurface { geometry: surface, triangles } =
        builder.build_patch(&field, &layout, &patch, &nothing, unknown, &[]);
    let chunk = builder.build(&field, &layout, chunk);
    assert_eq!((&surface.positions, &surface.normals), (&chunk.positions, &chunk.normals));
    assert_eq!((triangles, surface.side), (None, chunk.side));
    let stays = surface.positions.iter().zip(&surface.coarse_heights).all(|(place, &coarse)| place[1] == coarse);
    assert!(stays && surface.coarse_error == 0.0);
    // Also where no chunk is.
    let patch = GroundPatch { level: 4, corner: [-333, 1001], quads: 21 };
    let surface = builder.build_patch(&field, &layout, &patch, &nothing, unknown, &[]).geometry;
    let [min, max] = patch.corners(&layout);
    for [x, height, z] in &surface.positions {
        assert_eq!(*height, field.height(min[0] + f64::from(*x), min[1] + f64::from(*z)));
    }
    let last = surface.positions.last().map(|[x, _, z]| [min[0] + f64::from(*x), min[1] + f64::from(*z)]);
    assert_eq!((surface.positions.len(), last), (22 * 22, Some(max)));
}

#[test]
fn chunks_are_patches_that_overlap_none_of_their_neighbours() {
    let layout = layout();
    for chunk in [ChunkCoord { level: 3, x: -4, z: 9 }, ChunkCoord { level: 0, x: 1 << 40, z: -1 }] {
        let patch = GroundPatch::of_chunk(&layout, chunk);
        assert_eq!(patch.corners(&layout)[0], layout.origin(chunk));
        assert_eq!(patch.grid(&layout, 2), layout.grid(chunk, 2));
        assert!(patch.overlaps(&layout, &patch));
        for [dx, dz] in [[1, 0], [-1, 1], [0, -1]] {
            let beside = GroundPatch::of_chunk(&layout, chunk.neighbour(dx, dz));
            assert!(!patch.overlaps(&layout, &beside) && !beside.overlaps(&layout, &patch));
        }
        let shifted = GroundPatch { corner: patch.corner.map(|first| first + 63), ..patch };
        assert!(patch.overlaps(&layout, &shifted) && shifted.overlaps(&layout, &patch));
        let below = GroundPatch::of_chunk(&layout, chunk.parent());
        assert!(patch.overlaps(&layout, &below) && below.overlaps(&layout, &patch));
    }
}

/// Nothing is known of any border.
fn unknown(_: ChunkCoord) -> Option<&'static ChunkBorders> {
    None
}

/// What two viewers see who stand `apart` metres from one another, and a patch over what a third sees who stands near them.
fn patch_beside_chunks(apart: f64, view: f64, patch_view: f64, rng: &mut NoiseRng) -> (Cover, GroundPatch) {
    let (layout, field) = (layout(), HeightField::new(&FieldSettings::default()));
    let mut errors = LevelErrors::new();
    errors.measure(&field, &layout, 8);
    let top = Cover::top_level(&layout, view);
    let middle = [0, 1].map(|_| 1e6 * (rng.next_unit() - 0.5));
    let viewers = [-0.5, 0.5].map(|part| {
        let position = [middle[0] + part * apart, 50.0, middle[1] + 0.3 * part * apart];
        let point = ViewerPoint { position, forward: [1.0, 0.0], view_distance: view, sharpness: 1300.0 };
        Viewer::new(point, Reach::wanted(&layout, &errors, &point, 3.0, top), field.bounds())
    });
    let cover = Cover::select(&layout, top, &viewers, 0.0, &Cover::default());
    // About where the second of them sees its horizon, on one of the four sides.
    let mut place = [middle[0] + 0.5 * apart, middle[1] + 0.15 * apart];
    place[usize::from(rng.next_unit() < 0.5)] += if rng.next_unit() < 0.5 { view } else { -view };
    place = place.map(|along| along + 0.4 * view * (rng.next_unit() - 0.5));
    let [min, max] = [-patch_view, patch_view].map(|far| place.map(|along| along + far));
    (cover, GroundPatch::around(&layout, min, max).expect("it is not too large"))
}

/// The triangles of the patch itself, and those of its walls.
fn parted(surface: &PatchSurface) -> (Vec<[[f64; 3]; 3]>, Vec<[[f64; 3]; 3]>) {
    let vertex = |&index: &u32| surface.geometry.positions[index as usize].map(f64::from);
    let triangles = surface.triangles.as_ref().expect("there are chunks beside it").as_chunks::<3>().0;
    let is_ground = |triangle: &&[u32; 3]| triangle.iter().all(|&index| index < surface.geometry.side.pow(2));
    let (ground, walls): (Vec<&[u32; 3]>, _) = triangles.iter().partition(is_ground);
    [ground, walls].map(|part| part.into_iter().map(|it| [0, 1, 2].map(|i| vertex(&it[i]))).collect()).into()
}

/// Twice the area of a triangle in plan, where it is seen from above.
fn area(&[a, b, c]: &[[f64; 3]; 3]) -> f64 {
    (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
}

#[test]
fn beside_chunks_all_ground_is_there_once() {
    let (layout, field, mut rng) = (layout(), HeightField::new(&FieldSettings::default()), NoiseRng::new(6, 0));
    let (mut builder, mut on_chunks, mut places) = (ChunkBuilder::default(), 0, 0);
    for (apart, view, patch_view) in [(500.0, 1000.0, 1000.0), (9000.0, 4000.0, 6000.0), (3000.0, 2000.0, 300.0)] {
        for _ in 0..8 {
            let (cover, patch) = patch_beside_chunks(apart, view, patch_view, &mut rng);
            let neighbours = patch.beside(&layout, &cover).expect("it is no coarser than they");
            let surface = builder.build_patch(&field, &layout, &patch, &neighbours, unknown, &[]);
            if surface.triangles.is_none() {
                assert!(
                    cover.roots().iter().all(|&root| !patch.overlaps(&layout, &GroundPatch::of_chunk(&layout, root)))
                );
                continue;
            }
            let (ground, walls) = parted(&surface);
            assert!(ground.iter().all(|triangle| area(triangle) > 0.0) && walls.iter().all(|wall| area(wall) == 0.0));
            let [min, max] = patch.corners(&layout);
            let size = max[0] - min[0];
            let part_of = |root: &ChunkCoord| {
                let [first, last] = GroundPatch::of_chunk(&layout, *root).corners(&layout);
                let along = |axis: usize| (last[axis].min(max[axis]) - first[axis].max(min[axis])).max(0.0);
                along(0) * along(1)
            };
            let drawn: f64 = cover.roots().iter().map(part_of).sum();
            assert_eq!(ground.iter().map(area).sum::<f64>() / 2.0 + drawn, size * size, "{patch:?}");
            for _ in 0..300 {
                let place = min.map(|start| start + size * rng.next_unit());
                let is_chunk = cover.contains(layout.chunk_at(cover.top(), place[0], place[1]));
                let [x, z] = [place[0] - min[0], place[1] - min[1]];
                let is_over = |triangle: &&[[f64; 3]; 3]| {
                    (0..3).all(|i| area(&[triangle[i], triangle[(i + 1) % 3], [x, 0.0, z]]) > 0.0)
                };
                assert_eq!(ground.iter().filter(is_over).count(), usize::from(!is_chunk), "{place:?} of {patch:?}");
                (on_chunks, places) = (on_chunks + usize::from(is_chunk), places + 1);
            }
        }
    }
    assert!(places > 3000 && (places / 5..places * 4 / 5).contains(&on_chunks), "{on_chunks} of {places} places");
}

#[test]
fn nobody_looks_through_between_a_patch_and_a_chunk() {
    let (layout, field, mut rng) = (layout(), HeightField::new(&FieldSettings::default()), NoiseRng::new(7, 0));
    let (mut builder, mut steps, mut checked) = (ChunkBuilder::default(), 0, [0; 3]);
    for (apart, view, patch_view) in
        [(500.0, 1000.0, 1000.0), (3000.0, 4000.0, 60.0), (500.0, 4000.0, 120.0), (0.0, 4000.0, 5000.0)]
    {
        for _ in 0..6 {
            let (cover, patch) = patch_beside_chunks(apart, view, patch_view, &mut rng);
            let neighbours = patch.beside(&layout, &cover).expect("it is no coarser than they");
            let surface = builder.build_patch(&field, &layout, &patch, &neighbours, unknown, &[]);
            let corner = patch.corners(&layout)[0];
            // The lowest and the highest part of a wall in a place, in whole level-0 vertices from the corner.
            let mut walls: std::collections::HashMap<[i64; 2], [f32; 2]> = std::collections::HashMap::new();
            let own = (surface.geometry.side as usize).pow(2);
            let place = |[x, _, z]: [f32; 3]| [x, z].map(|along| (f64::from(along) / layout.spacing(0)).round() as i64);
            for &position in &surface.geometry.positions[own..] {
                let wall = walls.entry(place(position)).or_insert([f32::INFINITY, f32::NEG_INFINITY]);
                *wall = [wall[0].min(position[1]), wall[1].max(position[1])];
            }
            for &position in &surface.geometry.positions[..own] {
                if let Some([bottom, top]) = walls.get(&place(position)) {
                    assert!((*bottom..=*top).contains(&position[1]), "the wall begins beside the patch");
                    checked[0] += 1;
                }
            }
            for &leaf in cover.leaves() {
                let borders: Vec<Side> = Side::ALL
                    .into_iter()
                    .filter(|side| {
                        let [dx, dz] = side.step();
                        let beyond = leaf.neighbour(dx, dz).ancestor(cover.top());
                        beyond != leaf.ancestor(cover.top()) && !cover.contains(beyond)
                    })
                    .collect();
                if borders.is_empty() || !patch.touches(&layout, &GroundPatch::of_chunk(&layout, leaf)) {
                    continue;
                }
                let chunk = builder.build(&field, &layout, leaf);
                let origin = layout.origin(leaf);
                for (side, along) in
                    borders.iter().flat_map(|side| (0..=layout.quads()).map(move |along| (side, along)))
                {
                    let [column, row] = side.vertex(along, layout.quads());
                    let index = (row * chunk.side + column) as usize;
                    let [x, height, z] = chunk.positions[index];
                    let at = [origin[0] - corner[0] + f64::from(x), origin[1] - corner[1] + f64::from(z)];
                    let at = at.map(|along| (along / layout.spacing(0)).round() as i64);
                    // Where there is ground of the patch on the other side, and not just its corner.
                    let [dx, dz] = side.step();
                    let beyond = [2 * at[0] + dx, 2 * at[1] + dz];
                    let inside = |along: i64| (1..2 * (i64::from(patch.quads) << patch.level)).contains(&along);
                    if !beyond.into_iter().all(inside) {
                        continue;
                    }
                    let [bottom, top] = walls.get(&at).unwrap_or_else(|| panic!("no wall at {at:?} of {patch:?}"));
                    for part in [0.0, 0.4, 1.0] {
                        let drawn = height + (chunk.coarse_heights[index] - height) * part;
                        // Rounded otherwise than on a graphics card.
                        let is_closed = (bottom - 1e-3..=top + 1e-3).contains(&drawn);
                        assert!(is_closed, "{drawn} at {at:?}, and a wall {bottom} to {top}");
                    }
                    steps += usize::from(top > bottom);
                    checked[1 + usize::from(leaf.level > patch.level)] += 1;
                }
            }
        }
    }
    assert!(checked.iter().all(|&count| count > 20) && steps > 500, "{checked:?}, {steps} steps");
}

#[test]
fn known_borders_are_those_that_are_found_out() {
    let (layout, field, mut rng) = (layout(), HeightField::new(&FieldSettings::default()), NoiseRng::new(8, 0));
    let mut builder = ChunkBuilder::default();
    for _ in 0..4 {
        let (cover, patch) = patch_beside_chunks(500.0, 1000.0, 1000.0, &mut rng);
        let borders: CoordMap<ChunkBorders> = (cover.leaves().iter())
            .map(|&leaf| (leaf, ChunkBorders::of(&builder.build(&field, &layout, leaf))))
            .collect();
        let neighbours = patch.beside(&layout, &cover).expect("it is no coarser than they");
        let places = [[0, 1].map(|axis| patch.corners(&layout)[0][axis] + 300.0)];
        let known = builder.build_patch(&field, &layout, &patch, &neighbours, |chunk| borders.get(&chunk), &places);
        let found = builder.build_patch(&field, &layout, &patch, &neighbours, unknown, &places);
        assert_eq!(known, found);
        let heights = found.geometry.positions.iter().map(|position| position[1]);
        let [lowest, highest] = found.geometry.height_range;
        assert_eq!(
            (heights.clone().fold(f32::INFINITY, f32::min), heights.fold(f32::NEG_INFINITY, f32::max)),
            (lowest, highest)
        );
        assert_eq!(found.geometry.coarse_heights.len(), found.geometry.positions.len());
    }
}

#[test]
fn chunks_that_are_finer_than_the_quads_of_a_patch_fit_nowhere_but_beside_it() {
    let layout = layout();
    let mut rng = NoiseRng::new(9, 0);
    let (cover, _) = patch_beside_chunks(0.0, 300.0, 300.0, &mut rng);
    let [x, z] = layout.origin(cover.roots()[0]);
    let over = |size: f64| GroundPatch::around(&layout, [x - size, z - size], [x + size, z + size]);
    let coarsest = cover.top() + 6;
    let fitting = over(0.2 * layout.chunk_size(coarsest)).expect("it is not too large");
    assert_eq!(fitting.level, coarsest);
    assert!(fitting.beside(&layout, &cover).is_some());
    let coarser = over(0.3 * layout.chunk_size(coarsest)).expect("it is not too large");
    assert!(coarser.level == coarsest + 1 && coarser.beside(&layout, &cover).is_none());
    let elsewhere = GroundPatch { corner: coarser.corner.map(|first| first + 1000), ..coarser };
    assert_eq!(elsewhere.beside(&layout, &cover), Some(PatchNeighbours::default()));
}

#[test]
fn where_the_finest_chunks_lie_up_to_the_horizon_there_is_no_patch_and_far_apart_no_panic() {
    let layout = ChunkLayout::new(&ChunkSettings { quads: 128, spacing: 1.0 });
    let view = 16_000.0;
    let at = |x: f64| {
        let point = ViewerPoint { position: [x, 0.0, 0.0], forward: [1.0, 0.0], view_distance: view, sharpness: 1e3 };
        Viewer::new(point, Reach::none(&layout), (0.0, 1.0))
    };
    let select = |viewer: Viewer, previous: &Cover| {
        Cover::select(&layout, Cover::top_level(&layout, view), &[viewer], 0.0, previous)
    };
    let patch =
        |x: f64| GroundPatch::around(&layout, [x - view, -view], [x + view, view]).expect("it is not too large");
    let mut near = at(0.0);
    let coarse = select(near, &Cover::default());
    let neighbours = patch(1.5 * view).beside(&layout, &coarse).expect("there is room for walls");
    assert!(neighbours.posts() > 300, "{} posts", neighbours.posts());
    near.reach = Reach::wanted(&layout, &LevelErrors::new(), &near.point, 0.0, 0);
    near.reach = near.reach.widened(2.0 * view / layout.chunk_size(0));
    let fine = select(near, &coarse);
    assert!(fine.leaves().len() > 10_000, "{} leaves", fine.leaves().len());
    assert_eq!(patch(1.5 * view).beside(&layout, &fine), None);
    // Where numbers end, chunks and patches may seem to meet that do not.
    for x in [2_f64.powi(62), 9.2e18, 1e30] {
        let far = select(at(-x), &Cover::default());
        for patch_x in [x, -x] {
            if let Some(patch) = GroundPatch::around(&layout, [patch_x - view, -view], [patch_x + view, view]) {
                let _ = patch.beside(&layout, &far);
            }
        }
    }
}
