//! The tiles that were used last.

use super::tile::{HeightTile, TileScratch};
use crate::chunk::{ChunkCoord, ChunkLayout, CoordMap};
use crate::field::HeightField;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Tiles of chunks, in memory of limited size: those that were used last.
///
/// Several threads can use a cache at once. Each tile is made outside of the lock, so no thread waits for another one's tile.
/// Tiles of a height field that nothing else holds any more are dropped with the next tile that is made. Where the ground was edited
/// meanwhile, its tiles are made again; the others stay.
#[derive(Debug)]
pub struct TileCache(Mutex<Tiles>);

#[derive(Debug, Default)]
struct Tiles {
    limit: usize,
    bytes: usize,
    /// Counts the uses of all tiles.
    uses: u64,
    grounds: Vec<GroundTiles>,
    scratch: TileScratch,
}

/// The tiles of one height field and one layout.
#[derive(Debug)]
struct GroundTiles {
    /// A `Weak` keeps the address of its field taken, so no other field is mistaken for it.
    field: Weak<HeightField>,
    /// A copy of the field, to find where another one differs.
    copy: HeightField,
    layout: ChunkLayout,
    tiles: CoordMap<UsedTile>,
}

#[derive(Debug)]
struct UsedTile {
    tile: Arc<HeightTile>,
    last_use: u64,
}

impl TileCache {
    /// The default limit, in bytes: 16 MB, some 700 chunks of 64 by 64 quads.
    pub const DEFAULT_LIMIT: usize = 16_000_000;

    /// An empty cache for so many bytes of tiles. With 0, nothing is kept.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self(Mutex::new(Tiles { limit, ..Tiles::default() }))
    }

    /// Changes the limit, in bytes. What is too much is dropped at once, the tiles first that were used longest ago.
    pub fn set_limit(&self, limit: usize) {
        let mut tiles = self.lock();
        tiles.limit = limit;
        tiles.evict();
    }

    /// The size of all tiles, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Drops all tiles.
    pub fn clear(&self) {
        let mut tiles = self.lock();
        tiles.grounds.clear();
        tiles.bytes = 0;
    }

    /// The heights of the vertices of `chunk`. Makes the tile if the cache doesn't have it.
    #[must_use]
    pub fn tile(&self, field: &Arc<HeightField>, layout: &ChunkLayout, chunk: ChunkCoord) -> Arc<HeightTile> {
        let mut tiles = self.lock();
        if let Some(tile) = tiles.find(field, layout, chunk) {
            return tile;
        }
        let mut scratch = std::mem::take(&mut tiles.scratch);
        drop(tiles);
        let tile = Arc::new(HeightTile::new(field, &layout.grid(chunk, 0), &mut scratch));
        let mut tiles = self.lock();
        tiles.scratch = scratch;
        tiles.insert(field, layout, chunk, &tile);
        tile
    }

    /// A panic while the lock is held leaves the tiles valid.
    fn lock(&self) -> MutexGuard<'_, Tiles> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for TileCache {
    /// A cache of [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT).
    fn default() -> Self {
        Self::new(Self::DEFAULT_LIMIT)
    }
}

impl Tiles {
    /// After more changes, all tiles are made again: to look for those that are still right would take longer.
    const MAX_AREAS: usize = 1024;

    fn find(&mut self, field: &Arc<HeightField>, layout: &ChunkLayout, chunk: ChunkCoord) -> Option<Arc<HeightTile>> {
        self.uses += 1;
        let ground = self.grounds.iter().position(|ground| ground.is_of(field, layout));
        let ground = match ground {
            Some(ground) => ground,
            None => self.follow_edits(field, layout)?,
        };
        let ground = &mut self.grounds[ground];
        let used = ground.tiles.get_mut(&chunk)?;
        used.last_use = self.uses;
        Some(Arc::clone(&used.tile))
    }

    /// Gives the tiles of an edited field to `field`, if it is the same ground after other edits, but for those where they differ.
    /// Returns the index of the ground.
    fn follow_edits(&mut self, field: &Arc<HeightField>, layout: &ChunkLayout) -> Option<usize> {
        let same = self.grounds.iter().enumerate().filter(|(_, ground)| ground.layout == *layout);
        let edited = same.filter_map(|(index, ground)| Some((index, field.edited_since(&ground.copy)?)));
        let (index, areas) = edited.max_by_key(|(index, _)| self.grounds[*index].tiles.len())?;
        if areas.len() > Self::MAX_AREAS {
            return None;
        }
        let ground = &mut self.grounds[index];
        (ground.field, ground.copy) = (Arc::downgrade(field), HeightField::clone(field));
        let is_edited = |chunk| areas.iter().any(|area| area.meets(&layout.area(chunk, 0)));
        for (_, used) in ground.tiles.extract_if(|&chunk, _| is_edited(chunk)) {
            self.bytes -= used.tile.bytes();
        }
        Some(index)
    }

    fn insert(&mut self, field: &Arc<HeightField>, layout: &ChunkLayout, chunk: ChunkCoord, tile: &Arc<HeightTile>) {
        if self.grounds.iter().any(|ground| ground.field.strong_count() == 0) {
            self.grounds.retain(|ground| ground.field.strong_count() > 0);
            let rest = self.grounds.iter().flat_map(|ground| ground.tiles.values());
            self.bytes = rest.map(|used| used.tile.bytes()).sum();
        }
        let ground = self.grounds.iter().position(|ground| ground.is_of(field, layout)).unwrap_or_else(|| {
            let (copy, field, tiles) = (HeightField::clone(field), Arc::downgrade(field), CoordMap::default());
            self.grounds.push(GroundTiles { field, copy, layout: *layout, tiles });
            self.grounds.len() - 1
        });
        let used = UsedTile { tile: Arc::clone(tile), last_use: self.uses };
        // Another thread may have made the same tile.
        let replaced = self.grounds[ground].tiles.insert(chunk, used);
        self.bytes = self.bytes + tile.bytes() - replaced.map_or(0, |used| used.tile.bytes());
        self.evict();
    }

    /// Drops the tiles that were used longest ago, until the rest is within the limit.
    fn evict(&mut self) {
        while self.bytes > self.limit {
            let all = self.grounds.iter().enumerate();
            let all = all.flat_map(|(at, ground)| ground.tiles.iter().map(move |(&chunk, used)| (at, chunk, used)));
            let Some((ground, chunk, _)) = all.min_by_key(|(.., used)| used.last_use) else { return };
            if let Some(used) = self.grounds[ground].tiles.remove(&chunk) {
                self.bytes -= used.tile.bytes();
            }
        }
    }
}

impl GroundTiles {
    fn is_of(&self, field: &Arc<HeightField>, layout: &ChunkLayout) -> bool {
        std::ptr::eq(self.field.as_ptr(), Arc::as_ptr(field)) && self.layout == *layout
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use crate::field::{EditChange, EditCircle, EditId, EditShape, FieldSettings, Raise, TerrainEdit};

    fn layout() -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 2.0 })
    }

    fn field(base_height: f64) -> Arc<HeightField> {
        Arc::new(HeightField::new(&FieldSettings { base_height, ..Default::default() }))
    }

    fn chunk(x: i64) -> ChunkCoord {
        ChunkCoord::finest(x, 0)
    }

    #[test]
    fn a_tile_is_made_once_for_each_field_and_layout() {
        let (cache, one, other) = (TileCache::default(), field(0.0), field(0.0));
        let tile = cache.tile(&one, &layout(), chunk(0));
        assert!(Arc::ptr_eq(&tile, &cache.tile(&one, &layout(), chunk(0))));
        assert!(!Arc::ptr_eq(&tile, &cache.tile(&other, &layout(), chunk(0))), "another field has tiles of its own");
        let fine = ChunkLayout::new(&ChunkSettings { quads: 8, spacing: 1.0 });
        assert_eq!(cache.tile(&one, &fine, chunk(0)).grid().spacing, 1.0);
        assert_eq!(cache.bytes(), 3 * tile.bytes());
        cache.clear();
        assert_eq!(cache.bytes(), 0);
    }

    #[test]
    fn the_tiles_that_were_used_longest_ago_are_dropped_first() {
        let (cache, field) = (TileCache::default(), field(0.0));
        let tiles: Vec<_> = (0..4).map(|x| cache.tile(&field, &layout(), chunk(x))).collect();
        let _ = cache.tile(&field, &layout(), chunk(0));
        cache.set_limit(2 * tiles[0].bytes() + 1);
        assert_eq!(cache.bytes(), 2 * tiles[0].bytes());
        let is_kept = |x: usize| Arc::ptr_eq(&tiles[x], &cache.tile(&field, &layout(), chunk(x as i64)));
        assert!(is_kept(0) && is_kept(3));
        assert!(!is_kept(1) && cache.bytes() == 2 * tiles[0].bytes());
    }

    #[test]
    fn without_memory_nothing_is_kept() {
        let (cache, field) = (TileCache::new(0), field(0.0));
        let tile = cache.tile(&field, &layout(), chunk(0));
        assert_eq!(cache.bytes(), 0);
        assert_eq!(*tile, *cache.tile(&field, &layout(), chunk(0)));
    }

    #[test]
    fn the_tiles_of_a_field_that_is_gone_are_dropped() {
        let (cache, old) = (TileCache::default(), field(0.0));
        for x in 0..5 {
            let _ = cache.tile(&old, &layout(), chunk(x));
        }
        drop(old);
        let new = field(100.0);
        let tile = cache.tile(&new, &layout(), chunk(0));
        assert_eq!(cache.bytes(), tile.bytes());
        assert_eq!(tile.height(0, 0), new.height(0.0, 0.0));
    }

    #[test]
    fn after_an_edit_the_tiles_elsewhere_are_kept() {
        let raise = |x| TerrainEdit {
            shape: EditShape::Circle(EditCircle { x, z: 5.0, radius: 1.0 }),
            change: EditChange::Raise(Raise { height: 2.0 }),
            fade: 0.0,
            ..TerrainEdit::default()
        };
        let (cache, mut old) = (TileCache::default(), field(0.0));
        for (number, [x, edited]) in [[8.0, 0.0], [24.0, 1.0], [40.0, 2.0]].into_iter().enumerate() {
            let before: Vec<_> = (0..4).map(|x| cache.tile(&old, &layout(), chunk(x))).collect();
            let mut new = HeightField::clone(&old);
            new.replace_edit(EditId::Game(number as u64), None, Some(&raise(x)));
            let new = Arc::new(new);
            // The old field may live on, in a task.
            let held = (number > 0).then(|| Arc::clone(&old));
            old = Arc::clone(&new);
            for x in 0..4 {
                let tile = cache.tile(&new, &layout(), chunk(x));
                assert_eq!(Arc::ptr_eq(&tile, &before[x as usize]), x != edited as i64, "tile {x}");
                assert_eq!(tile.height(4, 2), new.height(16.0 * x as f64 + 8.0, 4.0));
            }
            assert_eq!(cache.bytes(), 4 * before[0].bytes());
            drop(held);
        }
    }

    #[test]
    fn a_border_belongs_to_the_tiles_on_both_sides() {
        let (cache, old) = (TileCache::default(), field(0.0));
        let before = [0, 1].map(|x| cache.tile(&old, &layout(), chunk(x)));
        let mut new = HeightField::clone(&old);
        let shape = EditShape::Circle(EditCircle { x: 16.0, z: 4.0, radius: 0.1 });
        let edit = TerrainEdit {
            shape,
            fade: 0.0,
            change: EditChange::Raise(Raise { height: 2.0 }),
            ..TerrainEdit::default()
        };
        new.replace_edit(EditId::Game(0), None, Some(&edit));
        let new = Arc::new(new);
        for x in [0, 1] {
            let tile = cache.tile(&new, &layout(), chunk(x));
            assert_eq!(
                tile.height(if x == 0 { 8 } else { 0 }, 2),
                before[x as usize].height(if x == 0 { 8 } else { 0 }, 2) + 2.0
            );
        }
    }

    #[test]
    fn threads_share_a_cache() {
        let (cache, field) = (TileCache::new(20_000), field(0.0));
        std::thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    for x in (0..200).map(|use_of| use_of * 7 % 40) {
                        let tile = cache.tile(&field, &layout(), chunk(x));
                        assert_eq!(tile.height(0, 0), field.height(x as f64 * 16.0, 0.0));
                    }
                });
            }
        });
        assert!((1..=20_000).contains(&cache.bytes()));
    }
}
