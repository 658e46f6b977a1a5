//! Pictures of plants: a small rasterizer draws a form from two sides and from above.

use super::masks;
use super::texture::{EMPTY, Texel, Texels};
use super::vector::{Vec3, add, dot, scaled, sub, unit};
use super::{CardTexture, FormVertex, PartRole, PlantForm, PlantTexture};
use crate::plants::PlantKind;
use std::sync::OnceLock;

/// The side of a picture, in sizes of the plant.
const SIDE: f32 = 1.4;

/// The part of the way from the middle of a card to its corners that has leaves.
const CARD_PART: f32 = 0.86;

/// So many places along each side of a texel are drawn.
const SAMPLES: usize = 4;

/// The three views: the axes that lead to the right and up in the picture, and the one that leads to the viewer.
const VIEWS: [[Vec3; 3]; 3] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
];

/// The middle of the picture of a view, relative to the foot.
fn middle(kind: PlantKind, view: usize) -> Vec3 {
    let height = match (view, kind) {
        (0 | 1, _) => 0.5 * SIDE - PlantForm::BELOW,
        (_, PlantKind::Conifer | PlantKind::Stone) => 0.3,
        (_, PlantKind::Broadleaf) => 0.66,
        (_, PlantKind::Umbrella) => 0.88,
        (_, PlantKind::Bush | PlantKind::Empty) => 0.5,
    };
    [0.0, height, 0.0]
}

/// The pictures of a plant, each on the smallest triangle or rectangle around it: what is drawn beside a plant costs as much as the plant.
pub(super) fn outlines(kind: PlantKind, variant: usize) -> PlantForm {
    let Some(number) = kind.number() else { return PlantForm::default() };
    let near = PlantForm::near(kind, variant);
    let mut form = PlantForm::default();
    for (view, axes) in VIEWS.into_iter().enumerate() {
        let [right, up, _] = axes;
        let first = form.vertices.len() as u16;
        let corners = outline(&near, middle(kind, view), axes);
        for &[u, v] in &corners {
            form.vertices.push(FormVertex {
                center: middle(kind, view),
                offset: add(scaled(right, (u - 0.5) * SIDE), scaled(up, (0.5 - v) * SIDE)),
                normal: [0.0, 0.0, 1.0],
                color: kind.color(),
                uv: [u, v],
                texture: ((number * PlantForm::VARIANTS + variant) * VIEWS.len() + view) as u8,
                role: PartRole::Picture,
            });
        }
        form.triangles.extend((2..corners.len() as u16).map(|last| [first, first + last - 1, first + last]));
    }
    (form.kept_vertices, form.kept_triangles) = (form.vertices.len(), form.triangles.len());
    form
}

/// The corners of the smallest triangle or rectangle around a form in a picture, counterclockwise from the lower left one, as u and v.
fn outline(form: &PlantForm, middle: Vec3, axes: [Vec3; 3]) -> Vec<[f32; 2]> {
    let places: Vec<[f32; 2]> = form
        .vertices
        .iter()
        .map(|vertex| {
            // Nothing is on the corners of a card. Trunks, branches and stones have none.
            let is_card = ![CardTexture::Bark as u8, CardTexture::Grain as u8].contains(&vertex.texture);
            let part = if is_card { CARD_PART } else { 1.0 };
            let [u, v, _] = seen(add(vertex.center, scaled(vertex.offset, part)), middle, axes, 1);
            [u, v]
        })
        .collect();
    let end = |axis: usize, choose: fn(f32, f32) -> f32| {
        let farthest = places.iter().map(|place| place[axis]).reduce(choose).unwrap_or(0.5);
        farthest.clamp(0.0, 1.0)
    };
    let [left, right, top, bottom] = [end(0, f32::min), end(0, f32::max), end(1, f32::min), end(1, f32::max)];
    // With its tip in the middle of the upper side of the picture.
    let half = places.iter().map(|[u, v]| (u - 0.5).abs() / v.max(1e-3) * bottom).fold(0.0, f32::max);
    if half <= 0.5 && half < (right - left) * (1.0 - top / bottom) {
        return vec![[0.5 - half, bottom], [0.5 + half, bottom], [0.5, 0.0]];
    }
    vec![[left, bottom], [right, bottom], [right, top], [left, top]]
}

/// The pictures of a plant, without mip levels.
pub(super) fn pictures(kind: PlantKind, variant: usize) -> [Texels; 3] {
    let form = PlantForm::near(kind, variant);
    let color = kind.color();
    [0, 1, 2].map(|view| {
        let mut picture = picture(&form, middle(kind, view), VIEWS[view]);
        for texel in &mut picture.texels {
            texel.color = [0, 1, 2].map(|part| texel.color[part] / color[part] / PlantTexture::PICTURE_SCALE);
        }
        picture
    })
}

/// How bright what is on a card is, for each of its texels. 0 where nothing is.
type Brightness = Vec<f32>;

/// What is on cards, in the order of the layers.
fn cards() -> &'static [Brightness] {
    static CARDS: OnceLock<Vec<Brightness>> = OnceLock::new();
    CARDS.get_or_init(|| {
        let brightness = |texel: &Texel| {
            if texel.cover < 0.5 { 0.0 } else { texel.color[0] * PlantTexture::CARD_SCALE }
        };
        CardTexture::ALL.map(|card| masks::card(card).texels.iter().map(brightness).collect()).into()
    })
}

/// A form seen along an axis from far away.
fn picture(form: &PlantForm, middle: Vec3, axes: [Vec3; 3]) -> Texels {
    let size = PlantTexture::PICTURE_SIZE * SAMPLES;
    // The nearest sample of each place, with how near it is.
    let mut samples = vec![(f32::NEG_INFINITY, EMPTY); size * size];
    for triangle in &form.triangles {
        let corners = triangle.map(|corner| &form.vertices[usize::from(corner)]);
        draw(
            &mut samples,
            size,
            corners,
            corners.map(|corner| seen(add(corner.center, corner.offset), middle, axes, size)),
        );
    }
    let texel = |index: usize| {
        let [column, row] =
            [index % PlantTexture::PICTURE_SIZE, index / PlantTexture::PICTURE_SIZE].map(|along| along * SAMPLES);
        let rows = row..row + SAMPLES;
        Texels::mean(rows.flat_map(|y| (column..column + SAMPLES).map(move |x| y * size + x)).map(|at| samples[at].1))
    };
    let count = PlantTexture::PICTURE_SIZE * PlantTexture::PICTURE_SIZE;
    Texels { size: PlantTexture::PICTURE_SIZE, texels: (0..count).map(texel).collect() }
}

/// The column and the row of a place in samples, and how near it is.
fn seen(place: Vec3, middle: Vec3, [right, up, near]: [Vec3; 3], size: usize) -> Vec3 {
    let place = sub(place, middle);
    let along = |axis: Vec3| dot(place, axis) / SIDE;
    [(0.5 + along(right)) * size as f32, (0.5 - along(up)) * size as f32, along(near)]
}

/// Draws a triangle where nothing nearer is.
fn draw(samples: &mut [(f32, Texel)], size: usize, vertices: [&FormVertex; 3], [a, b, c]: [Vec3; 3]) {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area.abs() < 1e-6 {
        return;
    }
    let span = |axis: usize| {
        let along = [a[axis], b[axis], c[axis]].map(|along| along.clamp(0.0, size as f32));
        let [first, last] = [f32::min, f32::max].map(|choose| along.into_iter().reduce(choose).unwrap_or(0.0));
        first as usize..(last as usize + 1).min(size)
    };
    let (card, card_size) = (&cards()[usize::from(vertices[0].texture)], PlantTexture::CARD_SIZE);
    for row in span(1) {
        for column in span(0) {
            let [x, y] = [column as f32 + 0.5, row as f32 + 0.5];
            let part = |p: Vec3, q: Vec3| ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) / area;
            let parts = [part(b, c), part(c, a), part(a, b)];
            if parts.iter().any(|&part| part < 0.0) {
                continue;
            }
            let near = parts[0] * a[2] + parts[1] * b[2] + parts[2] * c[2];
            let sample = &mut samples[row * size + column];
            if near <= sample.0 {
                continue;
            }
            let mixed = |value: fn(&FormVertex) -> Vec3| {
                let [a, b, c] = vertices.map(value);
                add(add(scaled(a, parts[0]), scaled(b, parts[1])), scaled(c, parts[2]))
            };
            let [u, v, _] = mixed(|vertex| [vertex.uv[0], vertex.uv[1], 0.0]);
            let [u, v] = [u, v].map(|along| ((along * card_size as f32).max(0.0) as usize).min(card_size - 1));
            let brightness = card[v * card_size + u];
            if brightness == 0.0 {
                continue;
            }
            let color = scaled(mixed(|vertex| vertex.color), brightness);
            *sample = (near, Texel { color, normal: unit(mixed(|vertex| vertex.normal)), cover: 1.0 });
        }
    }
}
