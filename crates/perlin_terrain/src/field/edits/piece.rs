//! The pieces of an edit: each a circle, a box or one segment of a path, compiled.

use super::area::TickArea;
use super::reach::Reach;
use super::{
    EditBox, EditChange, EditCircle, EditHeight, EditHill, EditId, EditPath, EditShape, HeightBase, Raise, TerrainEdit,
};
use crate::field::scatter::{Crater, HillShape, Scatter};
use crate::noise::{FixedCoord, TICKS_PER_UNIT};
use crate::param::Param;

/// The place of a piece in the order in which edits are applied: all pieces of an edit follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PieceOrder {
    pub is_of_game: bool,
    priority: u32,
    number: u64,
    pub segment: u32,
}

impl PieceOrder {
    fn new(id: EditId, edit: &TerrainEdit) -> Self {
        let (is_of_game, number) = match id {
            EditId::Settings(index) => (false, index.into()),
            EditId::Game(number) => (true, number),
        };
        let priority = TerrainEdit::PRIORITY.nearest(edit.priority.into()) as u32;
        Self { is_of_game, priority, number, segment: 0 }
    }

    /// Whether both are pieces of one edit.
    pub fn is_of_same_edit(self, other: Self) -> bool {
        Self { segment: 0, ..self } == Self { segment: 0, ..other }
    }
}

/// A piece of an edit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub order: PieceOrder,
    /// The piece has no effect outside.
    pub area: TickArea,
    pub shape: PieceShape,
    pub change: PieceChange,
    /// The fade in metres.
    pub fade: f32,
    /// Its reciprocal.
    pub per_fade: f32,
    pub strength: f32,
}

/// The shape of a piece, relative to a point. All lengths are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PieceShape {
    Circle {
        center: [FixedCoord; 2],
        radius: f32,
    },
    Box {
        center: [FixedCoord; 2],
        /// Cosine and sine of the turn.
        turn: [f32; 2],
        /// Half of each side.
        half: [f32; 2],
    },
    Segment {
        start: [FixedCoord; 2],
        /// From the start to the end.
        along: [f32; 2],
        /// The reciprocal of the square of the length; 0 for a point.
        per_square: f32,
        /// Half of the width.
        radius: f32,
    },
}

/// What a piece does to a height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PieceChange {
    /// Brings it to a height that is `start` at the start of a segment, and `rise` higher at its end.
    Level {
        rule: LevelRule,
        start: f32,
        rise: f32,
    },
    Raise {
        height: f32,
    },
    Hill {
        profile: HillProfile,
        per_radius: f32,
        height: f32,
    },
}

/// Which heights are brought to the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LevelRule {
    All,
    Lower,
    Higher,
}

/// The profile of a hill of radius and height 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HillProfile {
    Cone,
    Dome,
    Crater(Crater),
}

impl Piece {
    /// Compiles `edit`. `ground` is the height without edits. Numbers out of their ranges count as the nearest number in them,
    /// and a hill that is not in a circle has no effect.
    pub fn all_of(id: EditId, edit: &TerrainEdit, ground: &dyn Fn([f64; 2]) -> f32) -> Vec<Self> {
        if edit.is_hill_in_another_shape() {
            return Vec::new();
        }
        let fade = TerrainEdit::FADE.nearest(edit.fade);
        let strength = TerrainEdit::STRENGTH.nearest(edit.strength) as f32;
        let per_fade = if fade > 0.0 { (1.0 / fade) as f32 } else { f32::MAX };
        let piece = |segment, ends: [[f64; 2]; 2], shape, radius| {
            let change = PieceChange::new(&edit.change, ends, radius, ground);
            let fade = if matches!(change, PieceChange::Hill { .. }) { 0.0 } else { fade };
            let length = libm::hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
            // The second part bounds the rounding of distances. So outside, the effect is 0 to the last bit.
            let reach = (radius + fade) + 1e-6 * (length + radius + fade);
            let [start, end] = ends.map(|end| TickArea::around(end.map(FixedCoord::from), reach));
            let order = PieceOrder { segment, ..PieceOrder::new(id, edit) };
            let area = start.hull(end);
            Self { order, area, shape, change, fade: fade as f32, per_fade: per_fade.min(f32::MAX), strength }
        };
        match &edit.shape {
            EditShape::Circle(EditCircle { x, z, radius }) => {
                let center = position([*x, *z]);
                let radius = EditCircle::RADIUS.nearest(*radius);
                let shape = PieceShape::Circle { center: center.map(FixedCoord::from), radius: radius as f32 };
                vec![piece(0, [center; 2], shape, radius)]
            }
            EditShape::Box(EditBox { x, z, width, length, turn }) => {
                let center = position([*x, *z]);
                let (sin, cos) = libm::sincos(EditBox::TURN.nearest(*turn));
                let half = [EditBox::WIDTH.nearest(*width) / 2.0, EditBox::LENGTH.nearest(*length) / 2.0];
                let shape = PieceShape::Box {
                    center: center.map(FixedCoord::from),
                    turn: [cos as f32, sin as f32],
                    half: half.map(|half| half as f32),
                };
                vec![piece(0, [center; 2], shape, libm::hypot(half[0], half[1]))]
            }
            EditShape::Path(EditPath { points, width }) => {
                let radius = EditPath::WIDTH.nearest(*width) / 2.0;
                let points: Vec<_> =
                    points.iter().take(EditPath::MAX_POINTS).map(|point| position([point.x, point.z])).collect();
                let segments = points.windows(2).enumerate().map(|(index, ends)| {
                    let [start, end] = [ends[0], ends[1]].map(|end| end.map(FixedCoord::from));
                    let along = [0, 1].map(|axis| metres_between(start[axis], end[axis]));
                    let per_square = 1.0 / (along[0] * along[0] + along[1] * along[1]);
                    let per_square = if per_square.is_finite() { per_square } else { 0.0 };
                    let shape = PieceShape::Segment { start, along, per_square, radius: radius as f32 };
                    piece(index as u32, [ends[0], ends[1]], shape, radius)
                });
                segments.collect()
            }
        }
    }

    /// How far the piece changes heights.
    pub fn reach(&self) -> Reach {
        match self.change {
            PieceChange::Level { start, rise, .. } => Reach::to(start.into(), f64::from(start) + f64::from(rise)),
            PieceChange::Raise { height } | PieceChange::Hill { height, .. } => {
                Reach::by((self.strength * height).into())
            }
        }
    }
}

impl PieceChange {
    fn new(change: &EditChange, ends: [[f64; 2]; 2], radius: f64, ground: &dyn Fn([f64; 2]) -> f32) -> Self {
        let level = |rule, edit: &EditHeight| {
            let height = EditHeight::HEIGHT.nearest(edit.height) as f32;
            let [start, end] = match edit.above {
                HeightBase::Zero => [height; 2],
                HeightBase::Ground if ends[0] == ends[1] => [ground(ends[0]) + height; 2],
                HeightBase::Ground => ends.map(|end| ground(end) + height),
            };
            Self::Level { rule, start, rise: end - start }
        };
        match change {
            EditChange::Flatten(height) => level(LevelRule::All, height),
            EditChange::Fill(height) => level(LevelRule::Lower, height),
            EditChange::Cut(height) => level(LevelRule::Higher, height),
            EditChange::Raise(Raise { height }) => Self::Raise { height: Raise::HEIGHT.nearest(*height) as f32 },
            EditChange::Hill(EditHill { shape, height }) => Self::Hill {
                profile: match shape {
                    HillShape::Cone => HillProfile::Cone,
                    HillShape::Dome => HillProfile::Dome,
                    HillShape::Crater => HillProfile::Crater(Crater::new(&Scatter::default())),
                },
                per_radius: (1.0 / radius) as f32,
                height: EditHill::HEIGHT.nearest(*height) as f32,
            },
        }
    }
}

/// A position, within the limits of edits. NaN counts as the smallest one.
fn position(position: [f64; 2]) -> [f64; 2] {
    const LIMIT: &Param = EditCircle::X;
    position.map(|coordinate| LIMIT.nearest(coordinate))
}

/// The distance from one coordinate to another, in metres. Exact to the rounding of the result, also far from the origin.
pub(super) fn metres_between(from: FixedCoord, to: FixedCoord) -> f32 {
    let ticks = to.ticks.wrapping_sub(from.ticks) as f64;
    ((ticks + (to.fraction - from.fraction)) * (1.0 / TICKS_PER_UNIT as f64)) as f32
}
