//! The lists of a terrain's settings: layers, masks, points, edits, layers of the ground and layers of plants.

use crate::field::{
    Curve, CurvePoint, EditPath, EditShape, FieldSettings, Layer, LayerKind, Mask, PathPoint, TerrainEdit,
};
use crate::look::SurfaceLayer;
use crate::param::parent_path;
use crate::plants::PlantLayer;
use crate::settings::TerrainSettings;

/// The path of the list of layers of the field.
pub const LAYERS: &str = "field.layers";

/// The path of the list of edits of the field.
pub const EDITS: &str = "field.edits";

/// The path of the list of layers of the ground.
pub const SURFACE_LAYERS: &str = "look.layers";

/// The path of the list of layers of plants.
pub const PLANTS: &str = "plants";

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ListItem {
    /// A layer of the field.
    Layer(Layer),
    /// A mask of a layer.
    Mask(Mask),
    /// A point of a curve.
    Point(CurvePoint),
    /// An edit of the field.
    Edit(TerrainEdit),
    /// A point of an edit's path.
    PathPoint(PathPoint),
    /// A layer of the ground.
    SurfaceLayer(SurfaceLayer),
    /// A layer of plants.
    Plants(PlantLayer),
}

/// A list of items of one kind.
pub(super) trait List {
    fn len(&self) -> usize;

    fn get(&self, index: usize) -> Option<ListItem>;

    /// `None` if there is no such item.
    fn remove(&mut self, index: usize) -> Option<ListItem>;

    /// `None` if the item is of another kind, or beyond the end.
    fn insert(&mut self, index: usize, item: ListItem) -> Option<()>;
}

/// Implements [`List`] for the items of one kind.
macro_rules! list_of {
    ($item:ty, $kind:ident) => {
        impl List for Vec<$item> {
            fn len(&self) -> usize {
                self.len()
            }

            fn get(&self, index: usize) -> Option<ListItem> {
                <[$item]>::get(self, index).cloned().map(ListItem::$kind)
            }

            fn remove(&mut self, index: usize) -> Option<ListItem> {
                (index < self.len()).then(|| ListItem::$kind(self.remove(index)))
            }

            fn insert(&mut self, index: usize, item: ListItem) -> Option<()> {
                let ListItem::$kind(item) = item else { return None };
                (index <= self.len()).then(|| self.insert(index, item))
            }
        }
    };
}

list_of!(Layer, Layer);
list_of!(Mask, Mask);
list_of!(CurvePoint, Point);
list_of!(TerrainEdit, Edit);
list_of!(PathPoint, PathPoint);
list_of!(SurfaceLayer, SurfaceLayer);
list_of!(PlantLayer, Plants);

/// The list at `path`.
pub(super) fn list_at<'a>(settings: &'a TerrainSettings, path: &str) -> Option<&'a dyn List> {
    if path == SURFACE_LAYERS {
        return Some(&settings.look.layers);
    }
    if path == PLANTS {
        return Some(&settings.plants);
    }
    let field = &settings.field;
    if let Some(layer) = path.strip_suffix(".masks") {
        return Some(&layer_at(field, layer)?.masks);
    }
    if let Some(layer) = path.strip_suffix(".kind.points") {
        return Some(&curve(layer_at(field, layer)?)?.points);
    }
    if let Some(edit) = path.strip_suffix(".shape.points") {
        return Some(&edit_path(edit_at(field, edit)?)?.points);
    }
    if path == EDITS {
        return Some(&field.edits);
    }
    if path == LAYERS {
        return Some(&field.layers);
    }
    match &layer_at(field, path.strip_suffix(".kind.layers")?)?.kind {
        LayerKind::Group(group) => Some(&group.layers),
        _ => None,
    }
}

/// The list at `path`.
pub(super) fn list_at_mut<'a>(settings: &'a mut TerrainSettings, path: &str) -> Option<&'a mut dyn List> {
    if path == SURFACE_LAYERS {
        return Some(&mut settings.look.layers);
    }
    if path == PLANTS {
        return Some(&mut settings.plants);
    }
    let field = &mut settings.field;
    if let Some(layer) = path.strip_suffix(".masks") {
        return Some(&mut layer_at_mut(field, layer)?.masks);
    }
    if let Some(layer) = path.strip_suffix(".kind.points") {
        return match &mut layer_at_mut(field, layer)?.kind {
            LayerKind::Curve(curve) => Some(&mut curve.points),
            _ => None,
        };
    }
    if let Some(edit) = path.strip_suffix(".shape.points") {
        let (_, index) = item_path(edit).filter(|(list, _)| *list == EDITS)?;
        return match &mut field.edits.get_mut(index)?.shape {
            EditShape::Path(path) => Some(&mut path.points),
            _ => None,
        };
    }
    if path == EDITS {
        return Some(&mut field.edits);
    }
    Some(layers_at_mut(field, path)?)
}

/// The path of the list, and the index in it, of the item at `path`.
pub(super) fn item_path(path: &str) -> Option<(&str, usize)> {
    let list = parent_path(path);
    let index = path.get(list.len()..)?.strip_prefix('[')?.strip_suffix(']')?;
    Some((list, index.parse().ok()?))
}

/// A new item for the end of the list at `path`, and its index there. See [`ListEdit::add`](super::ListEdit::add).
pub(super) fn new_item(settings: &TerrainSettings, path: &str, kind: &str) -> Option<(usize, ListItem)> {
    if path == SURFACE_LAYERS {
        return Some((settings.look.layers.len(), ListItem::SurfaceLayer(SurfaceLayer::default())));
    }
    if path == PLANTS {
        return Some((settings.plants.len(), ListItem::Plants(PlantLayer::default())));
    }
    let field = &settings.field;
    if let Some(layer) = path.strip_suffix(".masks") {
        let (list, index) = item_path(layer)?;
        let layers = layers_at(field, list)?;
        return Some((layers.get(index)?.masks.len(), ListItem::Mask(mask_for(&layers[..index], kind)?)));
    }
    if let Some(layer) = path.strip_suffix(".kind.points") {
        let curve = curve(layer_at(field, layer)?)?;
        return Some((curve.points.len(), ListItem::Point(curve.next_point()?)));
    }
    if let Some(edit) = path.strip_suffix(".shape.points") {
        let points = &edit_path(edit_at(field, edit)?)?.points;
        return Some((points.len(), ListItem::PathPoint(next_point(points))));
    }
    if path == EDITS {
        return Some((field.edits.len(), ListItem::Edit(TerrainEdit::default())));
    }
    Some((layers_at(field, path)?.len(), ListItem::Layer(Layer::default())))
}

/// A new mask for a layer above the layers `below`.
fn mask_for(below: &[Layer], kind: &str) -> Option<Mask> {
    let mut mask = Mask::with_defaults(kind)?;
    if let Mask::Layer(mask) = &mut mask {
        mask.layer = below.iter().rfind(|layer| !layer.name.is_empty())?.name.clone();
    }
    Some(mask)
}

/// The curve of a layer. `None` for a layer of another kind.
#[must_use]
pub const fn curve(layer: &Layer) -> Option<&Curve> {
    match &layer.kind {
        LayerKind::Curve(curve) => Some(curve),
        _ => None,
    }
}

/// The edit at `path`.
fn edit_at<'a>(field: &'a FieldSettings, path: &str) -> Option<&'a TerrainEdit> {
    let (_, index) = item_path(path).filter(|(list, _)| *list == EDITS)?;
    field.edits.as_slice().get(index)
}

/// The path of an edit. `None` for an edit of another shape.
#[must_use]
pub const fn edit_path(edit: &TerrainEdit) -> Option<&EditPath> {
    match &edit.shape {
        EditShape::Path(path) => Some(path),
        _ => None,
    }
}

/// Moves the edit, or the point of its path, at `item`.
pub(super) fn place(field: &mut FieldSettings, item: &str, at: [f64; 2]) -> Option<()> {
    let (list, index) = item_path(item)?;
    if let Some(edit) = list.strip_suffix(".shape.points") {
        let (_, edit) = item_path(edit).filter(|(list, _)| *list == EDITS)?;
        let EditShape::Path(path) = &mut field.edits.get_mut(edit)?.shape else { return None };
        *path.points.get_mut(index)? = at.into();
        return Some(());
    }
    match &mut field.edits.get_mut(index).filter(|_| list == EDITS)?.shape {
        EditShape::Circle(circle) => (circle.x, circle.z) = at.into(),
        EditShape::Box(rectangle) => (rectangle.x, rectangle.z) = at.into(),
        EditShape::Path(path) => {
            let first = *path.points.first()?;
            for point in &mut path.points {
                *point = [at[0] + (point.x - first.x), at[1] + (point.z - first.z)].into();
            }
        }
    }
    Some(())
}

/// A point that goes on as far as the last two.
fn next_point(points: &[PathPoint]) -> PathPoint {
    match points {
        [.., before, last] => PathPoint { x: 2.0 * last.x - before.x, z: 2.0 * last.z - before.z },
        [last] => PathPoint { x: last.x + 100.0, ..*last },
        [] => PathPoint::default(),
    }
}

/// The path of the group with the list at `path`. `None` for the outermost list.
fn group_of(path: &str) -> Option<(&str, usize)> {
    item_path(path.strip_suffix(".kind.layers")?)
}

/// The list of layers at `path`, such as `field.layers[2].kind.layers`.
#[must_use]
pub fn layers_at<'a>(field: &'a FieldSettings, path: &str) -> Option<&'a [Layer]> {
    if path == LAYERS {
        return Some(&field.layers);
    }
    let (list, index) = group_of(path)?;
    let group = layers_at(field, list)?.get(index)?;
    group.is_group().then(|| group.children())
}

pub(super) fn layers_at_mut<'a>(field: &'a mut FieldSettings, path: &str) -> Option<&'a mut Vec<Layer>> {
    if path == LAYERS {
        return Some(&mut field.layers);
    }
    let (list, index) = group_of(path)?;
    layers_at_mut(field, list)?.get_mut(index)?.children_mut()
}

fn layer_at<'a>(field: &'a FieldSettings, path: &str) -> Option<&'a Layer> {
    let (list, index) = item_path(path)?;
    layers_at(field, list)?.get(index)
}

pub(super) fn layer_at_mut<'a>(field: &'a mut FieldSettings, path: &str) -> Option<&'a mut Layer> {
    let (list, index) = item_path(path)?;
    layers_at_mut(field, list)?.get_mut(index)
}
