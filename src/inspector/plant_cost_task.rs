//! Estimates the cost of each layer of plants, in a background task.

use super::TerrainInspector;
use super::latest::LatestResult;
use crate::field::HeightField;
use crate::plants::{PlantCost, Plants};
use crate::render::TerrainQuality;
use crate::stream::TerrainState;
use bevy::prelude::*;
use std::sync::Arc;

/// A new estimate begins when the viewer has moved so far, in parts of the distance at which plants end.
const STEP: f64 = 0.1;

/// The inputs of an estimate.
#[derive(Clone)]
struct Source {
    plants: Plants,
    /// The ground of the plants.
    field: Arc<HeightField>,
    /// x and z in metres.
    viewer: [f64; 2],
    /// Where plants lose some of their leaves, become pictures, and end, in metres.
    ends: [f64; 3],
}

impl Source {
    /// Whether the costs are about the same as of `other`.
    fn is_about(&self, other: &Self) -> bool {
        let [x, z] = [0, 1].map(|axis| self.viewer[axis] - other.viewer[axis]);
        self.plants.has_layers_of(&other.plants)
            && Arc::ptr_eq(&self.field, &other.field)
            && self.ends == other.ends
            && x.hypot(z) <= STEP * self.ends[2]
    }

    fn costs(self) -> Vec<PlantCost> {
        let Self { plants, viewer, ends, .. } = self;
        (0..plants.layers().len()).map(|layer| PlantCost::expected(&plants, layer, viewer, ends)).collect()
    }
}

/// The last estimate, and the task of the next one.
#[derive(Resource, Default)]
pub(super) struct PlantCostPreview(LatestResult<Source, Vec<PlantCost>>);

/// Starts an estimate when the plants, their ground or the viewer changed, and takes a finished one.
pub(super) fn update_plant_costs(
    mut inspector: ResMut<TerrainInspector>,
    mut preview: ResMut<PlantCostPreview>,
    terrains: Query<&TerrainState>,
    quality: Option<Res<TerrainQuality>>,
) {
    let PlantCostPreview(latest) = &mut *preview;
    let state = inspector.terrain().and_then(|entity| terrains.get(entity).ok());
    let source = state.zip(quality).and_then(|(state, quality)| {
        let [x, _, z] = state.requested_viewers().next()?.position;
        let (plants, field) = (state.plants()?.clone(), Arc::clone(state.field()?));
        Some(Source { plants, field, viewer: [x, z], ends: quality.plant_distances() })
    });
    match source {
        Some(source) if latest.needs(|last| source.is_about(last)) => latest.start(source, Source::costs),
        Some(_) => {}
        None => latest.clear(),
    }
    let costs = latest.output().map_or(&[][..], Vec::as_slice);
    if inspector.plant_costs != costs {
        inspector.plant_costs = costs.to_vec();
    }
}
