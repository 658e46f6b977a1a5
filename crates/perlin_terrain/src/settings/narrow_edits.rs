//! Warnings about edits that are too narrow for the mesh.

use super::{SettingsWarning, TerrainSettings};
use crate::chunk::ChunkSettings;
use crate::field::EditShape;

/// A warning for each edit that may lie between two vertices of level 0, so that nothing of it is drawn.
pub(super) fn warnings(settings: &TerrainSettings) -> Vec<SettingsWarning> {
    let ChunkSettings { spacing, .. } = settings.chunks;
    let edits = settings.field.edits.iter().enumerate().filter(|(_, edit)| edit.strength > 0.0);
    let narrow = edits.filter_map(|(index, edit)| {
        let (field, width) = match &edit.shape {
            EditShape::Circle(circle) => ("radius", 2.0 * circle.radius),
            EditShape::Box(rectangle) if rectangle.width < rectangle.length => ("width", rectangle.width),
            EditShape::Box(rectangle) => ("length", rectangle.length),
            EditShape::Path(path) => ("width", path.width),
        };
        let least = if field == "radius" { spacing / 2.0 } else { spacing };
        let message = format!(
            "the edit is narrower than the vertex spacing ({spacing} m), so the mesh may miss it; make its {field} at least {least} m, \
             or the spacing at most {width} m"
        );
        let path = format!("field.edits[{index}].shape.{field}");
        (width < spacing).then_some(SettingsWarning { path, message })
    });
    narrow.collect()
}

#[cfg(test)]
mod tests {
    use crate::settings::TerrainSettings;

    #[test]
    fn an_edit_between_two_vertices_gets_a_warning() {
        let edits = [
            "(shape: Circle(radius: 1.9), change: Raise())",
            "(shape: Circle(radius: 2.0), change: Raise())",
            "(shape: Box(width: 3.0, length: 9.0), change: Raise())",
            "(shape: Path(width: 3.5), change: Raise())",
            "(shape: Path(width: 3.5), change: Raise(), strength: 0)",
        ];
        let settings =
            TerrainSettings::from_ron(&format!("(field: (edits: [{}]))", edits.join(","))).expect("it is valid");
        let warnings: Vec<_> = settings.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings[0],
            "`field.edits[0].shape.radius`: the edit is narrower than the vertex spacing (4 m), so the mesh may miss it; \
             make its radius at least 2 m, or the spacing at most 3.8 m"
        );
        assert!(
            warnings[1].starts_with("`field.edits[2].shape.width`: ")
                && warnings[2].starts_with("`field.edits[3].shape.width`: ")
        );
        assert_eq!(warnings.len(), 3, "{warnings:?}");
    }
}
