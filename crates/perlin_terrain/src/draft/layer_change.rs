//! Changes to lists of layers.

use crate::param::parent_path;

/// A change to a list of layers. A list has a path such as `field.layers` or `field.layers[2].kind.layers`, and a layer has a path
/// such as `field.layers[2]`. The layers of the ground are the list `look.layers`. They have no streams, masks and points.
///
/// A layer that moves keeps its [stream](crate::field::Layer::stream), and so its noise. New layers and copies get streams that no layer has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerChange {
    /// Adds a layer with default values at the end of a list. To a look without a list of layers, it adds those that the look has.
    Add(String),
    /// Inserts a copy of a layer after it. If it has a name, the copy gets another one, such as `hills 2` for `hills`.
    Duplicate(String),
    /// Removes a layer.
    Remove(String),
    /// Swaps a layer with the previous one of its list.
    MoveUp(String),
    /// Swaps a layer with the next one of its list.
    MoveDown(String),
    /// Gives a layer a stream that no layer has.
    Roll(String),
    /// Adds a mask with default values to a layer: the path of the layer, and the name of the mask in a file. A mask that reads a
    /// layer reads the nearest one below that has a name.
    AddMask(String, &'static str),
    /// Removes a mask from a layer: the path of the layer, and the index of the mask.
    RemoveMask(String, usize),
    /// Adds a point at the upper end of a curve: the path of the layer. It lies on the curve, so it changes nothing yet.
    AddPoint(String),
    /// Removes a point from a curve: the path of the layer, and the index of the point.
    RemovePoint(String, usize),
}

impl LayerChange {
    /// The path of the layer or of the list.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Add(path)
            | Self::Duplicate(path)
            | Self::Remove(path)
            | Self::MoveUp(path)
            | Self::MoveDown(path)
            | Self::Roll(path)
            | Self::AddMask(path, _)
            | Self::RemoveMask(path, _)
            | Self::AddPoint(path)
            | Self::RemovePoint(path, _) => path,
        }
    }
}

/// The path of the list, and the index in it, of the layer at `path`.
pub(crate) fn list_and_index(path: &str) -> Option<(&str, usize)> {
    let list = parent_path(path);
    let index = path[list.len()..].strip_prefix('[')?.strip_suffix(']')?;
    Some((list, index.parse().ok()?))
}

/// Swaps an item of a list with the next one. `None` if there is none.
pub(crate) fn swap_with_next<T>(layers: &mut [T], index: usize) -> Option<()> {
    layers.get(index + 1)?;
    layers.swap(index, index + 1);
    Some(())
}
