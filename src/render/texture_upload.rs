//! Uploads the textures of the ground over several frames. All at once, 78 MB would take longer than a frame.

use crate::look::textures::{TextureKind, mip_levels};
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use bevy::tasks::AsyncComputeTaskPool;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most bytes that are uploaded in a frame.
const FRAME: usize = 2 << 20;

/// The most bytes of a part.
const PART: u32 = 1 << 18;

const TEXEL_BYTES: u32 = 4;

/// The texels of both texture arrays, layer by layer, each with all its mip levels.
pub(super) struct TextureUpload {
    size: u32,
    texels: [Vec<u8>; 2],
    parts: Vec<Part>,
    /// The number of parts that are uploaded.
    uploaded: usize,
}

/// Rows of a mip level of a layer.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    /// The number of the array.
    array: usize,
    layer: u32,
    mip: u32,
    /// The side of the mip level in texels.
    side: u32,
    rows: Range<u32>,
    /// Where its texels are.
    bytes: Range<usize>,
}

impl TextureUpload {
    /// Both arrays, with sides of `size` texels.
    pub fn new(size: u32, texels: [Vec<u8>; 2]) -> Self {
        Self { size, texels, parts: parts(size), uploaded: 0 }
    }

    /// The side of the textures, in texels.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// The parts for this frame.
    fn next(&mut self) -> &[Part] {
        let first = self.uploaded;
        let mut bytes = 0;
        while let Some(part) = self.parts.get(self.uploaded)
            && bytes + part.bytes.len() <= FRAME
        {
            bytes += part.bytes.len();
            self.uploaded += 1;
        }
        &self.parts[first..self.uploaded]
    }

    fn is_done(&self) -> bool {
        self.uploaded == self.parts.len()
    }
}

/// All parts of both arrays.
fn parts(size: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for (array, layers) in TextureKind::LAYERS.into_iter().enumerate() {
        let mut first = 0;
        for layer in 0..layers as u32 {
            for mip in 0..mip_levels(size as usize) {
                let side = size >> mip;
                let row_bytes = TEXEL_BYTES * side;
                let rows_of_part = (PART / row_bytes).max(1);
                for row in (0..side).step_by(rows_of_part as usize) {
                    let rows = row..(row + rows_of_part).min(side);
                    let end = first + (rows.len() as u32 * row_bytes) as usize;
                    parts.push(Part { array, layer, mip, side, rows, bytes: first..end });
                    first = end;
                }
            }
        }
    }
    parts
}

/// What is being uploaded, for the main world and for the render world.
#[derive(Resource, Clone, Default)]
pub(super) struct Uploads(Arc<Mutex<Option<(TextureUpload, [AssetId<Image>; 2])>>>);

impl Uploads {
    /// Uploads texels into these images, in place of what is being uploaded.
    pub fn start(&self, upload: TextureUpload, images: [AssetId<Image>; 2]) {
        free(self.lock().replace((upload, images)));
    }

    /// Whether something is being uploaded.
    pub fn are_running(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(TextureUpload, [AssetId<Image>; 2])>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts all texels into the images at once, for tests without a graphics card.
    #[cfg(test)]
    pub fn finish(&self, images: &mut Assets<Image>) {
        if let Some((upload, ids)) = self.lock().take() {
            for (id, texels) in ids.into_iter().zip(upload.texels) {
                images.get_mut(id).expect("the image is kept").data = Some(texels);
            }
        }
    }
}

/// Frees what was or would have been uploaded: in a task, as so much memory takes milliseconds.
fn free(upload: Option<(TextureUpload, [AssetId<Image>; 2])>) {
    if upload.is_some() {
        AsyncComputeTaskPool::get().spawn(async move { drop(upload) }).detach();
    }
}

/// Uploads what a frame has time for.
pub(super) fn upload_textures(uploads: Res<Uploads>, images: Res<RenderAssets<GpuImage>>, queue: Res<RenderQueue>) {
    let mut running = uploads.lock();
    let Some((upload, ids)) = &mut *running else { return };
    let [Some(color), Some(relief)] = ids.map(|id| images.get(id)) else { return };
    for part in upload.next().to_vec() {
        let place = TexelCopyTextureInfo {
            mip_level: part.mip,
            origin: Origin3d { x: 0, y: part.rows.start, z: part.layer },
            ..[color, relief][part.array].texture.as_image_copy()
        };
        queue.write_texture(
            place,
            &upload.texels[part.array][part.bytes],
            TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(TEXEL_BYTES * part.side), rows_per_image: None },
            Extent3d { width: part.side, height: part.rows.end - part.rows.start, depth_or_array_layers: 1 },
        );
    }
    if upload.is_done() {
        free(running.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_texels_once_and_no_frame_has_too_many() {
        for size in [16, 256, 1024] {
            let mips = (0..mip_levels(size as usize)).map(|mip| ((size >> mip) * (size >> mip) * TEXEL_BYTES) as usize);
            let layer = mips.sum::<usize>();
            let bytes = TextureKind::LAYERS.map(|layers| layers * layer);
            let mut upload = TextureUpload::new(size, bytes.map(|bytes| vec![0; bytes]));
            let (mut frames, mut covered) = (0, [0, 0]);
            let mut rows = 0;
            while !upload.is_done() {
                let parts = upload.next();
                assert!(!parts.is_empty() && parts.iter().map(|part| part.bytes.len()).sum::<usize>() <= FRAME);
                for part in parts {
                    assert_eq!(part.bytes.start, covered[part.array], "{part:?}");
                    assert_eq!(part.side, size >> part.mip);
                    assert_eq!(part.bytes.len(), part.rows.len() * (part.side * TEXEL_BYTES) as usize);
                    assert_eq!(part.rows.start, rows, "{part:?}");
                    rows = part.rows.end % part.side;
                    covered[part.array] = part.bytes.end;
                }
                frames += 1;
            }
            assert_eq!(covered, bytes);
            assert!(
                frames <= bytes.iter().sum::<usize>().div_ceil(FRAME - PART as usize),
                "{frames} frames for {size}"
            );
        }
    }
}
