//! Random terrains with edits, with viewers and their quadtrees.

use super::super::*;
use crate::chunk::{ChunkSettings, LEVELS, LevelErrors, LodRanges, Viewer, ViewerPoint};
use crate::field::{
    EditChange, EditCircle, EditHeight, EditPath, EditShape, FieldSettings, Raise, TerrainEdit, stack_tests,
};
use crate::noise::{FractalShape, NoiseSettings};
use proptest::array::uniform3;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use testing::any_magnitude;

/// A terrain, its viewers, and their quadtree.
pub struct Scene {
    pub field: HeightField,
    pub layout: ChunkLayout,
    pub viewers: Vec<Viewer>,
    pub tree: LodQuadtree,
    pub center: [f64; 2],
}

/// The random numbers of a scene.
#[derive(Clone, Debug)]
pub struct SceneInput {
    field: FieldSettings,
    edits: Vec<EditInput>,
    spacing: f64,
    /// The largest growth of the level errors from one level to the next, in metres.
    error_growth: f64,
    /// The growth of the error for each level, from 0 to 1.
    errors: Vec<f64>,
    /// The point that the viewers are around.
    center: [f64; 2],
    /// The longest view distance, in chunks of level 0.
    view_in_chunks: f64,
    pixel_error: f64,
    viewers: Vec<ViewerInput>,
    /// Steps after the first quadtree. In each, every viewer moves by this part of a chunk.
    steps: Vec<[[f64; 2]; 3]>,
}

/// An edit of the ground of a scene.
#[derive(Clone, Debug)]
struct EditInput {
    /// The distance of both ends from the center along x and z, in longest view distances.
    ends: [[f64; 2]; 2],
    /// The radius or half of the width, in the same.
    radius: f64,
    fade: f64,
    change: EditChange,
    is_path: bool,
}

/// A viewer of a scene.
#[derive(Clone, Debug)]
struct ViewerInput {
    /// The distance from the center along x and z, in longest view distances.
    offset: [f64; 2],
    height: f64,
    /// The part of the longest view distance.
    view_part: f64,
    projection_scale: f64,
    /// A missing chunk of this level limits its range to this part.
    loading: Option<(u8, f64)>,
}

/// Up to two layers of noise, or any stack of layers that is not too slow.
fn any_field() -> impl Strategy<Value = FieldSettings> {
    let is_fast = |field: &FieldSettings| field.evaluations().into_iter().all(|times| times <= 5);
    prop_oneof![any_noises(), stack_tests::any_field().prop_filter("too slow", is_fast)]
}

fn any_noises() -> impl Strategy<Value = FieldSettings> {
    let shape = select(&[FractalShape::Fbm, FractalShape::Ridged, FractalShape::Billow]);
    // From almost flat to 10 km high.
    let numbers = (1..=6_u32, any_magnitude(-5.0, 0.0), 0.1..1.0, any_magnitude(-2.0, 4.0));
    let layer = (shape, numbers).prop_map(|(shape, (octaves, frequency, persistence, height_scale))| NoiseSettings {
        shape,
        octaves,
        frequency,
        persistence,
        height_scale,
        ..Default::default()
    });
    (any::<u32>(), vec(layer, 0..=2)).prop_map(|(seed, layers)| FieldSettings {
        seed: seed.into(),
        base_height: 0.0,
        layers: layers.into_iter().map(Into::into).collect(),
        edits: vec![],
    })
}

fn any_viewer() -> impl Strategy<Value = ViewerInput> {
    let offset = [-1.5..1.5, -1.5..1.5];
    let loading = option::weighted(1.0 / 3.0, (1..=5_u8, 0.0..1.0));
    (offset, select(&[0.0, 10.0, 500.0]), select(&[0.2, 1.0]), select(&[50.0, 300.0, 1500.0]), loading).prop_map(
        |(offset, height, view_part, projection_scale, loading)| ViewerInput {
            offset,
            height,
            view_part,
            projection_scale,
            loading,
        },
    )
}

fn any_edit() -> impl Strategy<Value = EditInput> {
    let change = prop_oneof![
        (-50.0..50.0).prop_map(|height| EditChange::Raise(Raise { height })),
        (-50.0..50.0).prop_map(|height| EditChange::Flatten(EditHeight::above_ground(height))),
        (-500.0..500.0).prop_map(|height| EditChange::Fill(EditHeight::above_zero(height))),
    ];
    let end = || [-1.0..1.0, -1.0..1.0];
    ([end(), end()], any_magnitude(-2.0, 0.0), prop_oneof![Just(0.0), 0.0..0.3], change, any::<bool>())
        .prop_map(|(ends, radius, fade, change, is_path)| EditInput { ends, radius, fade, change, is_path })
}

impl EditInput {
    fn edit(&self, center: [f64; 2], view_distance: f64) -> TerrainEdit {
        let [start, end] = self.ends.map(|end| [0, 1].map(|axis| center[axis] + end[axis] * view_distance));
        let radius = self.radius * view_distance;
        let shape = if self.is_path {
            EditShape::Path(EditPath { points: vec![start.into(), end.into()], width: 2.0 * radius })
        } else {
            EditShape::Circle(EditCircle { x: start[0], z: start[1], radius })
        };
        let fade = self.fade * view_distance;
        TerrainEdit { shape, change: self.change.clone(), fade, ..TerrainEdit::default() }
    }
}

/// A scene with up to three viewers, up to one of these distances from the origin, in metres. Some of its quadtrees are still
/// loading, or have followed the viewers for a few steps.
pub fn any_scene(distances: &'static [f64]) -> impl Strategy<Value = SceneInput> {
    let center = (select(distances), [-1.0..1.0, -1.0..1.0]);
    let center = center.prop_map(|(distance, parts)| parts.map(|part: f64| (part * distance).round()));
    let errors = (any_magnitude(-3.0, 1.0), vec(0.0..1.0, LEVELS - 1));
    let viewers = (select(&[3.0, 8.0, 20.0, 40.0]), vec(any_viewer(), 1..=3));
    let steps = vec(uniform3([-0.3..0.3, -0.3..0.3]), 0..3);
    let numbers = (select(&[0.5, 1.0, 4.0, 30.0]), select(&[0.5, 2.0, 8.0]));
    ((any_field(), vec(any_edit(), 0..4)), numbers, errors, center, viewers, steps).prop_map(
        |((field, edits), (spacing, pixel_error), (error, errors), center, (view_in_chunks, viewers), steps)| {
            SceneInput {
                field,
                edits,
                spacing,
                error_growth: 2.0 * error * spacing,
                errors,
                center,
                view_in_chunks,
                pixel_error,
                viewers,
                steps,
            }
        },
    )
}

impl Scene {
    pub fn new(input: &SceneInput) -> Self {
        let layout = ChunkLayout::new(&ChunkSettings { quads: 8, spacing: input.spacing });
        let side = layout.chunk_size(0);
        let view_distance = side * input.view_in_chunks;
        let edits = input.edits.iter().map(|edit| edit.edit(input.center, view_distance)).collect();
        let field = HeightField::new(&FieldSettings { edits, ..input.field.clone() });
        // Measuring errors would take longer than all other steps. Any errors will do here.
        let mut sum = 0.0;
        let grow = |part: &f64| {
            sum += (input.error_growth * part) as f32;
            sum
        };
        let errors = LevelErrors::known(&input.errors.iter().map(grow).collect::<Vec<f32>>());
        let point = |viewer: &ViewerInput| {
            let [x, z] = [0, 1].map(|axis| input.center[axis] + viewer.offset[axis] * view_distance);
            ViewerPoint {
                position: [x, viewer.height, z],
                forward: [1.0, 0.0],
                view_distance: view_distance * viewer.view_part,
                projection_scale: viewer.projection_scale,
                is_orthographic: false,
            }
        };
        let mut points: Vec<ViewerPoint> = input.viewers.iter().map(point).collect();
        let viewer = |(point, input_of): (&ViewerPoint, &ViewerInput)| {
            let mut ranges = LodRanges::wanted(&layout, Some(&errors), point, 0.0, input.pixel_error, 400.0);
            if let Some((level, part)) = input_of.loading {
                ranges.limit(level, ranges.split(level) * part);
                ranges.keep_apart();
                let coarsest = layout.coarsest_level(point.view_distance);
                ranges = ranges.max(&LodRanges::minimal(&layout, level.min(coarsest)));
            }
            Viewer::new(&layout, *point, ranges, field.bounds())
        };
        let mut viewers: Vec<Viewer> = points.iter().zip(&input.viewers).map(viewer).collect();
        let mut tree = LodQuadtree::select(&layout, &viewers, &LodQuadtree::default());
        for step in &input.steps {
            for (point, [x, z]) in points.iter_mut().zip(step) {
                point.position[0] += x * side;
                point.position[2] += z * side;
            }
            viewers = points.iter().zip(&input.viewers).map(viewer).collect();
            tree = LodQuadtree::select(&layout, &viewers, &tree);
        }
        Self { field, layout, viewers, tree, center: input.center }
    }

    pub fn morph(&self) -> Morph {
        Morph::new(&self.viewers, self.center)
    }

    pub fn report(&self, morph: &Morph) -> SeamReport {
        seam_report(&self.field, &self.layout, &self.tree, morph, self.center)
    }

    /// The reports with the morph and without. Builds every chunk once.
    pub fn reports(&self) -> [SeamReport; 2] {
        let mut builder = ChunkBuilder::default();
        let leaves = self.tree.leaves().iter();
        let built: CoordMap<_> = leaves.map(|&leaf| (leaf, builder.heights(&self.field, &self.layout, leaf))).collect();
        let outlines: Vec<Outline> = StitchMask::all().map(|edges| Outline::new(&self.layout, edges)).collect();
        [self.morph(), Morph::STILL].map(|morph| {
            report(&self.tree, !morph.viewers().is_empty(), |chunk, edges| {
                let outline =
                    outlines.iter().find(|outline| outline.edges == edges).expect("every mask has an outline");
                let vertex = |vertex| built[&chunk].vertex(vertex, StitchMask::NONE);
                outline.drawn(&self.layout, chunk, vertex, &morph, self.center)
            })
        })
    }

    /// The report on chunks that `change` draws wrongly.
    pub fn broken_report(
        &self,
        change: impl Fn(&mut [ChunkVertex], ChunkCoord, &mut StitchMask, &mut Morph),
    ) -> SeamReport {
        let mut builder = ChunkBuilder::default();
        report(&self.tree, true, |chunk, mut edges| {
            let heights = builder.heights(&self.field, &self.layout, chunk);
            let side = heights.side;
            let all = (0..side).flat_map(|row| (0..side).map(move |column| [column, row]));
            let mut vertices: Vec<_> = all.map(|vertex| heights.vertex(vertex, StitchMask::NONE)).collect();
            let mut morph = self.morph();
            change(&mut vertices, chunk, &mut edges, &mut morph);
            let vertex = |[column, row]: [u32; 2]| vertices[(row * side + column) as usize];
            Outline::new(&self.layout, edges).drawn(&self.layout, chunk, vertex, &morph, self.center)
        })
    }

    /// Asserts that no leaves overlap, and that every position within view of a viewer is in a leaf.
    pub fn assert_tiled(&self) {
        // A chunk compares equal to the chunks that it contains.
        let leaves = self.tree.leaves();
        assert!(leaves.is_sorted_by(|one, other| one.compare_positions(*other).is_lt()), "leaves overlap");
        for viewer in &self.viewers {
            let ([x, z], view) = (viewer.xz(), viewer.point.view_distance * 0.999);
            for step in 0..32 {
                let (radius, angle) = (view * f64::from(step) / 31.0, f64::from(step));
                let (x, z) = (x + radius * libm::cos(angle), z + radius * libm::sin(angle));
                let over = self.tree.leaves_in(self.layout.chunk_at(0, x, z)).len();
                assert_eq!(over, 1, "chunks {radius} m from {viewer:?}");
            }
        }
    }
}
