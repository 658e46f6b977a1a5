//! Draws the map of the ground, in a background task.

use super::TerrainInspector;
use super::info::MapInfo;
use super::latest::LatestResult;
use crate::draft::HeightMap;
use crate::field::HeightField;
use crate::stream::{TerrainState, TerrainViewer, ViewerPositions};
use bevy::prelude::*;
use bevy_egui::egui::{self, ColorImage, TextureHandle, TextureOptions};
use std::sync::Arc;

/// The map follows the viewer in steps of this fraction of its side.
const STEP: f64 = 1.0 / 16.0;

/// The inputs of a map.
#[derive(Clone)]
struct Source {
    field: Arc<HeightField>,
    center: [f64; 2],
    extent: f64,
    water: Option<f32>,
}

impl Source {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.field, &other.field)
            && (self.center, self.extent, self.water) == (other.center, other.extent, other.water)
    }

    fn map(self) -> Arc<HeightMap> {
        Arc::new(HeightMap::new(&self.field, self.center, self.extent, self.water))
    }
}

/// The last map, and the task of the next one.
#[derive(Resource, Default)]
pub(super) struct MapPreview {
    maps: LatestResult<Source, Arc<HeightMap>>,
    viewer: [f64; 2],
    /// The last uploaded map and its texture.
    texture: Option<(Arc<HeightMap>, TextureHandle)>,
}

impl MapPreview {
    /// The map for the panel. Uploads it if it is new.
    pub fn info(&mut self, context: &egui::Context) -> Option<MapInfo> {
        let map = self.maps.output()?;
        let is_new = self.texture.as_ref().is_none_or(|(uploaded, _)| !Arc::ptr_eq(uploaded, map));
        if is_new {
            let image = ColorImage::from_rgb([HeightMap::SIZE; 2], map.pixels.as_flattened());
            match &mut self.texture {
                Some((uploaded, texture)) => {
                    texture.set(image, TextureOptions::LINEAR);
                    uploaded.clone_from(map);
                }
                none => {
                    let texture = context.load_texture("terrain map", image, TextureOptions::LINEAR);
                    *none = Some((Arc::clone(map), texture));
                }
            }
        }
        let texture = self.texture.as_ref()?.1.id();
        Some(MapInfo { texture, map: Arc::clone(map), viewer: self.viewer })
    }
}

/// Starts a new map when the ground, the position or the extent changed, and takes a finished one.
pub(super) fn update_map(
    inspector: Res<TerrainInspector>,
    mut preview: ResMut<MapPreview>,
    terrains: Query<&TerrainState>,
    viewers: Query<Entity, With<TerrainViewer>>,
    positions: ViewerPositions,
) {
    let shown = inspector.terrain().and_then(|entity| {
        let state = terrains.get(entity).ok()?;
        Some((entity, state, state.field()?))
    });
    let Some((entity, state, field)) = shown else {
        preview.maps.clear();
        return;
    };
    if let Some(position) = viewer_position(entity, &viewers, &positions) {
        preview.viewer = position;
    }
    let extent = inspector.panel.map_extent;
    let step = extent * STEP;
    let look = state.settings().map(|settings| &settings.look);
    let source = Source {
        field: Arc::clone(field),
        center: preview.viewer.map(|position| (position / step).round() * step),
        extent,
        water: look.filter(|look| look.water).map(|look| look.water_height as f32),
    };
    if preview.maps.needs(|shown| shown.is(&source)) {
        preview.maps.start(source, Source::map);
    }
}

/// The position of the first viewer: x and z in the terrain's own coordinates.
fn viewer_position(
    terrain: Entity,
    viewers: &Query<Entity, With<TerrainViewer>>,
    positions: &ViewerPositions,
) -> Option<[f64; 2]> {
    let viewer = viewers.iter().min_by_key(|viewer| viewer.index())?;
    let position = positions.in_terrain(viewer, terrain)?.translation;
    position.is_finite().then_some([position.x, position.z])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FieldSettings;

    #[test]
    fn a_new_field_with_the_same_settings_is_a_new_source() {
        let field = Arc::new(HeightField::new(&FieldSettings::default()));
        let source = Source { field, center: [0.0; 2], extent: 1000.0, water: None };
        assert!(source.is(&source.clone()));
        let field = Arc::new(HeightField::clone(&source.field));
        assert!(!source.is(&Source { field, ..source.clone() }));
        assert!(!source.is(&Source { extent: 2000.0, ..source.clone() }));
        assert!(!source.is(&Source { water: Some(0.0), ..source.clone() }));
    }
}
