//! What forms and textures promise.

use super::texture::Texels;
use super::vector::{add, dot};
use super::*;

fn all() -> impl Iterator<Item = (PlantKind, usize)> {
    PlantKind::DRAWN.into_iter().flat_map(|kind| (0..PlantForm::VARIANTS).map(move |variant| (kind, variant)))
}

#[test]
fn forms_are_sound() {
    for (kind, variant) in all() {
        for form in [PlantForm::near(kind, variant), PlantForm::far(kind, variant)] {
            let name = format!("{kind:?} {variant}");
            assert!(!form.triangles.is_empty(), "{name}");
            assert!(form.triangles.iter().flatten().all(|&corner| usize::from(corner) < form.vertices.len()), "{name}");
            let kept = &form.triangles[..form.kept_triangles];
            assert!(kept.iter().flatten().all(|&corner| usize::from(corner) < form.kept_vertices), "{name}");
            let stays = |vertex: &FormVertex| vertex.role != PartRole::Detail;
            assert!(form.vertices[..form.kept_vertices].iter().all(stays), "{name}");
            assert!(!form.vertices[form.kept_vertices..].iter().any(stays), "{name}");
            for vertex in &form.vertices {
                assert!((dot(vertex.normal, vertex.normal) - 1.0).abs() < 1e-4, "{name}: {vertex:?}");
                assert!(vertex.uv.iter().all(|along| (-0.2..=1.2).contains(along)), "{name}: {vertex:?}");
                assert!(vertex.color.iter().all(|part| (0.0..=1.0).contains(part)), "{name}: {vertex:?}");
                let place = add(vertex.center, vertex.offset);
                assert!(
                    place.iter().all(|along| along.abs() < PlantForm::REACH) && place[1] > -0.35,
                    "{name}: {vertex:?}"
                );
            }
        }
    }
    assert_eq!(PlantForm::near(PlantKind::Empty, 0), PlantForm::default());
    assert_eq!(PlantForm::far(PlantKind::Empty, 0), PlantForm::default());
}

#[test]
fn the_size_is_the_height_of_plants_and_the_width_of_stones() {
    for (kind, variant) in all() {
        let form = PlantForm::near(kind, variant);
        let places = || form.vertices.iter().map(|vertex| add(vertex.center, vertex.offset));
        let widest = places().map(|[x, _, z]| x.hypot(z)).fold(0.0, f32::max);
        let highest = places().map(|[_, y, _]| y).fold(0.0, f32::max);
        if kind == PlantKind::Stone {
            assert!((0.35..=0.51).contains(&widest), "{variant}: {widest}");
        } else {
            assert!((0.88..=1.15).contains(&highest), "{kind:?} {variant}: {}", highest);
        }
    }
}

#[test]
fn stones_and_trunks_face_outward() {
    for (kind, variant) in all() {
        let form = PlantForm::near(kind, variant);
        for corners in &form.triangles {
            let [a, b, c] = corners.map(|corner| form.vertices[usize::from(corner)]);
            if a.role == PartRole::Rigid {
                let [a_at, b_at, c_at] = [a, b, c].map(|vertex| add(vertex.center, vertex.offset));
                let face = vector::cross(vector::sub(b_at, a_at), vector::sub(c_at, a_at));
                assert!(dot(face, add(a.normal, add(b.normal, c.normal))) >= 0.0, "{kind:?} {variant}: {a:?}");
            }
        }
    }
}

/// How much of a level is covered, from its bytes.
fn covered(bytes: &[u8]) -> f32 {
    let texels = bytes.len() / 4;
    bytes.chunks_exact(4).filter(|texel| texel[3] >= 128).count() as f32 / texels as f32
}

fn levels(bytes: &[u8], size: usize) -> Vec<&[u8]> {
    let mut first = 0;
    let sides = (0..PlantTexture::mip_levels(size)).map(|mip| size >> mip);
    let of_side = |side: usize| {
        let level = &bytes[first..first + 4 * side * side];
        first += level.len();
        level
    };
    let levels: Vec<_> = sides.map(of_side).collect();
    assert_eq!(first, bytes.len());
    levels
}

#[test]
fn leaves_do_not_thin_out_with_distance() {
    for texture in CardTexture::ALL {
        let made = PlantTexture::card(texture);
        let levels = levels(&made.color, PlantTexture::CARD_SIZE);
        let whole = covered(levels[0]);
        match texture {
            CardTexture::Bark | CardTexture::Grain => assert_eq!(whole, 1.0),
            _ => assert!((0.3..0.8).contains(&whole), "{texture:?}: {whole}"),
        }
        for level in &levels[1..6] {
            let part = covered(level);
            assert!((part - whole).abs() < 0.06, "{texture:?}: {part} in place of {whole} at {}", level.len());
        }
        assert_eq!(made.normal.len(), made.color.len());
    }
}

/// Whether a place is within a triangle, in a picture with v downward.
fn is_within([u, v]: [f32; 2], corners: [[f32; 2]; 3]) -> bool {
    let side = |[from_u, from_v]: [f32; 2], [to_u, to_v]: [f32; 2]| {
        (to_u - from_u) * (from_v - v) - (from_v - to_v) * (u - from_u)
    };
    let [a, b, c] = corners;
    side(a, b) >= -1e-4 && side(b, c) >= -1e-4 && side(c, a) >= -1e-4
}

/// The area of a triangle.
fn area([[a_u, a_v], [b_u, b_v], [c_u, c_v]]: &[[f32; 2]; 3]) -> f32 {
    0.5 * ((b_u - a_u) * (c_v - a_v) - (c_u - a_u) * (b_v - a_v)).abs()
}

#[test]
fn outlines_are_tight_and_leave_out_nothing_of_a_plant() {
    for (kind, variant) in all() {
        let form = PlantForm::far(kind, variant);
        let pictures = pictures::pictures(kind, variant);
        let first = form.vertices[0].texture;
        for (view, picture) in pictures.iter().enumerate() {
            let corners = form.triangles.iter().map(|corners| corners.map(|corner| form.vertices[usize::from(corner)]));
            let of_view = corners.filter(|[vertex, ..]| usize::from(vertex.texture - first) == view);
            let triangles: Vec<_> = of_view.map(|corners| corners.map(|vertex| vertex.uv)).collect();
            let side = picture.size;
            let covered = || (0..side * side).filter(|&index| picture.texels[index].cover >= 0.5);
            let places =
                || covered().map(|index| [index % side, index / side].map(|at| (at as f32 + 0.5) / side as f32));
            let outside = places().filter(|&place| !triangles.iter().any(|&triangle| is_within(place, triangle)));
            assert_eq!(outside.collect::<Vec<_>>(), [[0.0; 2]; 0], "{kind:?} {variant}, view {view}: {triangles:?}");
            // A spruce is a third of its picture. A rectangle ends where the plant does.
            let name = format!("{kind:?} {variant}, view {view}");
            let is_triangle = triangles.len() == 1;
            assert_eq!(is_triangle, kind == PlantKind::Conifer && view < 2, "{name}");
            assert!(!is_triangle || area(&triangles[0]) < 0.33, "{name}: {triangles:?}");
            for axis in (0..2).filter(|_| !is_triangle) {
                for choose in [f32::min, f32::max] {
                    let outline = triangles.iter().flatten().map(|corner| corner[axis]).reduce(choose);
                    let plant = places().map(|place| place[axis]).reduce(choose);
                    let [outline, plant] = [outline, plant].map(|end| end.expect("there is something"));
                    assert!((outline - plant).abs() < 0.08, "{name}: {outline} around {plant}");
                }
            }
        }
    }
}

#[test]
fn a_picture_covers_what_the_plant_covers() {
    let [side, other, above] = pictures::pictures(PlantKind::Conifer, 0);
    let count = |texels: &Texels, rows: std::ops::Range<usize>| {
        let row = |row: usize| &texels.texels[row * texels.size..][..texels.size];
        rows.flat_map(row).filter(|texel| texel.cover >= 0.5).count()
    };
    for picture in [&side, &other] {
        // A spruce is wide below and narrow above. Its trunk reaches into the ground.
        let [top, middle, foot] = [5..25, 45..65, 85..90].map(|rows| count(picture, rows));
        assert!(top > 20 && middle > 3 * top, "{top}, {middle}");
        assert!((5..100).contains(&foot), "{foot}");
    }
    // From above it is a disk about the middle.
    let all = count(&above, 0..96);
    let inner: usize = (32..64).map(|row| (32..64).filter(|x| above.texels[row * 96 + x].cover >= 0.5).count()).sum();
    assert!(inner > 350 && all < 2 * inner, "{inner} of {all}");
}
