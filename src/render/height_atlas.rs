//! The heights of all chunks, in one array of textures.
//!
//! The array has pages of 1024 by 1024 heights. A page has 7 by 7 blocks, and a block has the slots of chunks of one size: four of 64
//! quads a side, nine of 32. So terrains with chunks of different sizes share the pages, and a block whose slots are all free serves
//! chunks of any size again.
//!
//! The array is as large as it ever gets from the start: a larger one would need another bind group for every material.

#[cfg(test)]
mod chunk_on_gpu;
mod on_gpu;

use crate::chunk::{ChunkHeights, ChunkLayout};
use crate::stream::ChunkStore;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
pub(super) use on_gpu::{HeightTexture, NewHeights, create_texture, extract_heights, write_heights};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Heights along each side of a page.
pub(super) const PAGE: u32 = 1024;

/// Heights along each side of a block: two chunks of 64 quads with their aprons, or one of 128.
pub(super) const BLOCK: u32 = 138;

/// Blocks along each side of a page.
pub(super) const BLOCKS_ALONG_PAGE: u32 = PAGE / BLOCK;

const BLOCKS_OF_PAGE: u32 = BLOCKS_ALONG_PAGE * BLOCKS_ALONG_PAGE;

/// The lowest bits of a slot are its number in its block, and the others are the number of the block.
pub(super) const SLOT_BITS: u32 = 7;

/// The most pages. Nearly every device has so many layers in an array.
pub(super) const MAX_PAGES: u32 = 256;

/// Bytes of a block.
const BLOCK_BYTES: u64 = (BLOCK * BLOCK) as u64 * size_of::<f32>() as u64;

/// Slots along each side of a block for chunks of `layout`.
const fn slots_along(layout: &ChunkLayout) -> u32 {
    BLOCK / ChunkHeights::width(layout)
}

const fn slots_of_block(layout: &ChunkLayout) -> u32 {
    slots_along(layout) * slots_along(layout)
}

/// The page of a slot, and the column and the row of its first height.
fn origin(slot: u32, layout: &ChunkLayout) -> (u32, [u32; 2]) {
    let (block, number) = (slot >> SLOT_BITS, slot & ((1 << SLOT_BITS) - 1));
    let (page, block) = (block / BLOCKS_OF_PAGE, block % BLOCKS_OF_PAGE);
    let [block, number] = [(block, BLOCKS_ALONG_PAGE), (number, slots_along(layout))]
        .map(|(number, along)| [number % along, number / along]);
    (page, [0, 1].map(|axis| block[axis] * BLOCK + number[axis] * ChunkHeights::width(layout)))
}

/// The atlas of an app, as the main world sees it: which slots are free, and the heights that are not on the GPU yet.
#[derive(Resource, Clone)]
pub(super) struct HeightAtlas(Arc<Mutex<Slots>>);

/// Heights for a slot.
pub(super) struct HeightWrite {
    pub page: u32,
    /// The column and the row of the first height.
    pub origin: [u32; 2],
    pub width: u32,
    /// The bytes of each height, as the GPU takes them.
    pub bytes: Vec<[u8; 4]>,
}

struct Slots {
    pages: u32,
    free_blocks: BTreeSet<u32>,
    /// For each size, by the slots of a block: the free slots in blocks of that size.
    free: BTreeMap<u32, BTreeSet<u32>>,
    /// The number of chunks in each block that has any.
    chunks: BTreeMap<u32, u32>,
    /// `None` without a renderer, which takes them.
    writes: Option<Vec<HeightWrite>>,
}

impl HeightAtlas {
    /// An empty atlas. Without a renderer, it keeps no heights.
    pub fn new(pages: u32, has_renderer: bool) -> Self {
        Self(Arc::new(Mutex::new(Slots {
            pages,
            free_blocks: (0..pages * BLOCKS_OF_PAGE).collect(),
            free: BTreeMap::new(),
            chunks: BTreeMap::new(),
            writes: has_renderer.then(Vec::new),
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of pages.
    pub fn pages(&self) -> u32 {
        self.lock().pages
    }

    /// Takes pages away that no chunk uses yet.
    fn limit_pages(&self, pages: u32) {
        let mut slots = self.lock();
        slots.pages = pages;
        slots.free_blocks.retain(|&block| block < pages * BLOCKS_OF_PAGE);
    }

    /// Takes the lowest free slot for a chunk of `layout`, whose heights have these `bytes`. `None` if there is no slot.
    pub fn place(&self, layout: &ChunkLayout, bytes: Vec<[u8; 4]>) -> Option<ChunkSlot> {
        let slots_of_block = slots_of_block(layout);
        let slot = ChunkSlot { slot: self.lock().take(slots_of_block)?, slots_of_block };
        self.write(slot, layout, bytes);
        Some(slot)
    }

    /// Writes other heights into the slot of a chunk.
    pub fn write(&self, slot: ChunkSlot, layout: &ChunkLayout, bytes: Vec<[u8; 4]>) {
        let (page, origin) = origin(slot.slot, layout);
        let width = ChunkHeights::width(layout);
        if let Some(writes) = &mut self.lock().writes {
            writes.push(HeightWrite { page, origin, width, bytes });
        }
    }

    /// Takes the heights that are not on the GPU yet.
    fn take_writes(&self) -> Vec<HeightWrite> {
        self.lock().writes.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

impl ChunkStore for HeightAtlas {
    fn bytes_per_chunk(&self, layout: &ChunkLayout) -> u64 {
        BLOCK_BYTES.div_ceil(slots_of_block(layout).into())
    }

    fn capacity(&self) -> u64 {
        u64::from(self.pages() * BLOCKS_OF_PAGE) * BLOCK_BYTES
    }

    fn free_chunks(&self, layout: &ChunkLayout) -> usize {
        let (slots, of_block) = (self.lock(), slots_of_block(layout));
        slots.free.get(&of_block).map_or(0, BTreeSet::len) + slots.free_blocks.len() * of_block as usize
    }
}

impl Slots {
    fn take(&mut self, of_block: u32) -> Option<u32> {
        let Self { free_blocks, free, chunks, .. } = self;
        let free = free.entry(of_block).or_default();
        let slot = free.pop_first().or_else(|| {
            let first = free_blocks.pop_first()? << SLOT_BITS;
            free.extend(first + 1..first + of_block);
            Some(first)
        })?;
        *chunks.entry(slot >> SLOT_BITS).or_default() += 1;
        Some(slot)
    }

    fn free(&mut self, ChunkSlot { slot, slots_of_block }: ChunkSlot) {
        let Self { free_blocks, free, chunks, .. } = self;
        let (free, block) = (free.entry(slots_of_block).or_default(), slot >> SLOT_BITS);
        free.insert(slot);
        let Some(left) = chunks.get_mut(&block) else { return };
        *left -= 1;
        if *left == 0 {
            chunks.remove(&block);
            let first = block << SLOT_BITS;
            (first..first + slots_of_block).for_each(|slot| _ = free.remove(&slot));
            free_blocks.insert(block);
        }
    }
}

/// The slot of a chunk. When it is removed, the slot is free, so a clone of the chunk's entity has none.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable, on_discard = free_slot, clone_behavior = Ignore)]
pub(super) struct ChunkSlot {
    pub slot: u32,
    slots_of_block: u32,
}

fn free_slot(world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let (Some(&slot), Some(atlas)) = (world.get::<ChunkSlot>(entity), world.get_resource::<HeightAtlas>()) {
        atlas.lock().free(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkSettings;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use testing::for_all;

    const QUADS: [u32; 5] = [8, 16, 32, 64, 128];

    fn layout(quads: u32) -> ChunkLayout {
        ChunkLayout::new(&ChunkSettings { quads, ..ChunkSettings::default() })
    }

    fn place(atlas: &HeightAtlas, quads: u32) -> Option<ChunkSlot> {
        atlas.place(&layout(quads), Vec::new())
    }

    #[test]
    fn a_page_has_this_many_slots() {
        for (quads, expected) in QUADS.into_iter().zip([4900, 1764, 441, 196, 49]) {
            let atlas = HeightAtlas::new(2, false);
            assert_eq!(atlas.free_chunks(&layout(quads)), 2 * expected);
            let slots: BTreeSet<_> = std::iter::from_fn(|| place(&atlas, quads)).map(|slot| slot.slot).collect();
            assert_eq!((slots.len(), atlas.free_chunks(&layout(quads))), (2 * expected, 0));
            assert!(slots.iter().all(|slot| *slot < 1 << 23), "the tag has room for it");
            assert!(atlas.bytes_per_chunk(&layout(quads)) * expected as u64 >= atlas.capacity() / 2);
        }
    }

    #[test]
    fn chunks_of_any_sizes_never_overlap_and_leave_nothing_behind() {
        // Placing chunks of these sizes, or removing one of those that are there.
        let steps = vec((0..QUADS.len(), any::<bool>(), any::<prop::sample::Index>()), 0..400);
        for_all(200, steps, |steps| {
            let atlas = HeightAtlas::new(1, false);
            let mut chunks: Vec<(u32, ChunkSlot)> = Vec::new();
            for (size, removes, index) in steps {
                if removes && !chunks.is_empty() {
                    atlas.lock().free(chunks.swap_remove(index.index(chunks.len())).1);
                } else if let Some(slot) = place(&atlas, QUADS[size]) {
                    chunks.push((QUADS[size], slot));
                } else {
                    assert_eq!(atlas.free_chunks(&layout(QUADS[size])), 0);
                }
            }
            let squares: Vec<_> = chunks
                .iter()
                .map(|&(quads, slot)| {
                    let (page, [x, z]) = origin(slot.slot, &layout(quads));
                    let width = ChunkHeights::width(&layout(quads));
                    assert!(page == 0 && x + width <= PAGE && z + width <= PAGE);
                    [x, z, x + width, z + width]
                })
                .collect();
            for (number, a) in squares.iter().enumerate() {
                let is_beside = |b: &[u32; 4]| (0..2).any(|axis| a[axis] >= b[axis + 2] || b[axis] >= a[axis + 2]);
                assert!(squares[..number].iter().all(is_beside), "{a:?} of {squares:?}");
            }
            chunks.into_iter().for_each(|(_, slot)| atlas.lock().free(slot));
            for quads in QUADS {
                assert_eq!(atlas.free_chunks(&layout(quads)), HeightAtlas::new(1, false).free_chunks(&layout(quads)));
            }
        });
    }

    #[test]
    fn the_lowest_free_slot_goes_first() {
        let atlas = HeightAtlas::new(2, false);
        let slots = [(); 6].map(|()| place(&atlas, 64).expect("there is room"));
        assert_eq!(slots.map(|slot| slot.slot), [0, 1, 2, 3, 128, 129]);
        [slots[5], slots[2], slots[1]].into_iter().for_each(|slot| atlas.lock().free(slot));
        assert_eq!([(); 3].map(|()| place(&atlas, 64).map(|slot| slot.slot)), [Some(1), Some(2), Some(129)]);
    }

    #[test]
    fn a_slot_is_free_when_its_chunk_is_gone() {
        let mut world = World::new();
        let atlas = HeightAtlas::new(2, false);
        world.insert_resource(atlas.clone());
        let all = atlas.free_chunks(&layout(64));
        let mut chunk = || world.spawn(place(&atlas, 64).expect("there is room")).id();
        let chunks = [chunk(), chunk(), chunk()];
        assert_eq!(atlas.free_chunks(&layout(64)), all - 3);
        world.despawn(chunks[0]);
        world.entity_mut(chunks[1]).remove::<ChunkSlot>();
        assert_eq!(atlas.free_chunks(&layout(64)), all - 1);
        let other = place(&atlas, 64).expect("there is room");
        world.entity_mut(chunks[2]).insert(other);
        assert_eq!(atlas.free_chunks(&layout(64)), all - 1, "the slot that was replaced is free");
        let clone = world.entity_mut(chunks[2]).clone_and_spawn();
        world.despawn(clone);
        assert_eq!(atlas.free_chunks(&layout(64)), all - 1, "a clone has no slot to free");
    }

    #[test]
    fn heights_wait_for_the_renderer_with_their_place() {
        let atlas = HeightAtlas::new(2, true);
        for number in 0..198 {
            atlas.place(&layout(64), vec![[number; 4]]).expect("there is room");
        }
        let writes = atlas.take_writes();
        let places: Vec<_> = writes.iter().map(|write| (write.page, write.origin, write.bytes[0][0])).collect();
        assert_eq!(places[..3], [(0, [0, 0], 0), (0, [69, 0], 1), (0, [0, 69], 2)]);
        assert_eq!(places[196..], [(1, [0, 0], 196), (1, [69, 0], 197)]);
        assert!(atlas.take_writes().is_empty());
    }
}
