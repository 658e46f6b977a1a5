//! Which tiles of plants viewers need.

use super::Plants;
use bevy::platform::collections::HashMap;

/// The side of a tile, in metres.
pub(super) const SIDE: f64 = 32.0;

/// How much farther away than a viewer needs them plants are kept, in metres.
const KEPT: f64 = 16.0;

/// A set of layers, by their indices.
pub(super) type LayerSet = u16;

/// How much viewers need a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    /// The distance to the nearest viewer, in metres.
    pub distance: f64,
    /// The layers whose plants are to be there.
    pub wanted: LayerSet,
    /// Those that may stay, too.
    pub kept: LayerSet,
}

/// The tiles that viewers at `viewers`, as x and z in metres, need or may keep.
pub(super) fn needs(plants: &Plants, viewers: &[[f64; 2]]) -> HashMap<[i64; 2], Need> {
    let mut needs = HashMap::default();
    let radii: Vec<f64> = plants.layers().map(|layer| layer.entities).collect();
    let farthest = radii.iter().copied().fold(0.0, f64::max);
    if farthest == 0.0 {
        return needs;
    }
    let reach = farthest + KEPT;
    let tile = |along: f64| (along / SIDE).floor() as i64;
    for &[x, z] in viewers {
        let [first, last] = [-reach, reach].map(|by| [tile(x + by), tile(z + by)]);
        for coord in (first[1]..=last[1]).flat_map(|z| (first[0]..=last[0]).map(move |x| [x, z])) {
            let distance = distance(coord, [x, z]);
            let within = |extra: f64| {
                let near =
                    radii.iter().enumerate().filter(|(_, radius)| **radius > 0.0 && distance <= **radius + extra);
                near.fold(0, |set: LayerSet, (layer, _)| set | 1 << layer)
            };
            let (wanted, kept) = (within(0.0), within(KEPT));
            if kept != 0 {
                let need = needs.entry(coord).or_insert(Need { distance, wanted: 0, kept: 0 });
                need.distance = need.distance.min(distance);
                need.wanted |= wanted;
                need.kept |= kept;
            }
        }
    }
    needs
}

/// The distance from a position to a tile, in metres.
fn distance(tile: [i64; 2], position: [f64; 2]) -> f64 {
    let [x, z] = [0, 1].map(|axis| {
        let from = position[axis] - tile[axis] as f64 * SIDE;
        (-from).max(from - SIDE).max(0.0)
    });
    x.hypot(z)
}

/// The corners of a tile, as x and z in metres.
pub(super) fn corners(tile: [i64; 2]) -> [[f64; 2]; 2] {
    let min = tile.map(|index| index as f64 * SIDE);
    [min, min.map(|along| along + SIDE)]
}

#[cfg(test)]
mod tests {
    use super::super::PlantLayer;
    use super::*;
    use crate::chunk::ChunkLayout;
    use crate::field::HeightField;
    use crate::settings::TerrainSettings;
    use perlin_terrain::ground::Ground;
    use std::sync::Arc;

    fn plants(entities: &[f64]) -> Plants {
        let settings = TerrainSettings::default();
        let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
        let layer = |&entities: &f64| PlantLayer { entities, ..PlantLayer::default() };
        Plants::new(ground, 1, &entities.iter().map(layer).collect::<Vec<_>>(), &settings.look)
    }

    #[test]
    fn viewers_need_the_tiles_within_the_distance_of_each_layer() {
        let found = needs(&plants(&[40.0, 0.0, 10.0]), &[[16.0, 16.0]]);
        let here = found[&[0, 0]];
        assert_eq!(here, Need { distance: 0.0, wanted: 0b101, kept: 0b101 });
        // 16 m away.
        assert_eq!(found[&[1, 0]], Need { distance: 16.0, wanted: 0b001, kept: 0b101 });
        assert_eq!(found[&[-2, 0]], Need { distance: 48.0, wanted: 0, kept: 0b001 });
        assert!(!found.contains_key(&[3, 0]) && found.len() == 3 * 3 + 4 * 3);
        assert!(needs(&plants(&[0.0, 0.0]), &[[0.0; 2]]).is_empty());
        assert!(needs(&plants(&[40.0]), &[]).is_empty());
    }

    #[test]
    fn a_tile_has_the_needs_of_all_viewers() {
        let plants = plants(&[30.0, 5.0]);
        let found = needs(&plants, &[[1e9, -3.0], [1e9 + 100.0, -3.0]]);
        let between = found.iter().filter(|(tile, _)| tile[1] == -1).map(|(_, need)| need.wanted.count_ones());
        // Both are near the border of two tiles, and the second one is 28 m from a third.
        assert_eq!(between.sum::<u32>(), 2 + 2 + 3 + 2);
    }
}
