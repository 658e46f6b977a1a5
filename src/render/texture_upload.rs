//! Uploads textures over several frames. All at once, the 78 MB of those of the ground would take longer than a frame.

use crate::stream::{TerrainStreamPlugin, drop_in_background};
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo, Texture};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use std::iter::{Peekable, from_fn};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::IntoIter;

/// The most bytes of the ground's textures that are uploaded in a frame.
const FRAME: usize = 2 << 20;

/// The most bytes of a part.
const PART: u32 = 1 << 18;

const TEXEL_BYTES: u32 = 4;

/// Texels for layers of two texture arrays, layer by layer, each with all its mip levels.
pub(super) struct TextureUpload {
    size: u32,
    texels: [Vec<u8>; 2],
    /// The parts that are not uploaded.
    parts: Peekable<IntoIter<Part>>,
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
    /// Texels for these layers of each array, with `mips` levels. The first level has sides of `size` texels.
    pub fn new(size: u32, mips: u32, layers: [Range<u32>; 2], texels: [Vec<u8>; 2]) -> Self {
        Self { size, texels, parts: parts(size, mips, layers).into_iter().peekable() }
    }

    /// The side of the textures, in texels.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Uploads the next parts, at most so many bytes. Returns whether all are uploaded.
    pub fn advance(&mut self, max_bytes: usize, textures: [&Texture; 2], queue: &RenderQueue) -> bool {
        for part in self.next(max_bytes) {
            let position = TexelCopyTextureInfo {
                mip_level: part.mip,
                origin: Origin3d { x: 0, y: part.rows.start, z: part.layer },
                ..textures[part.array].as_image_copy()
            };
            queue.write_texture(
                position,
                &self.texels[part.array][part.bytes],
                TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(TEXEL_BYTES * part.side), rows_per_image: None },
                Extent3d { width: part.side, height: part.rows.end - part.rows.start, depth_or_array_layers: 1 },
            );
        }
        self.is_done()
    }

    /// Takes the next parts, at most so many bytes.
    fn next(&mut self, max_bytes: usize) -> Vec<Part> {
        let mut bytes = 0;
        let mut fits = |part: &Part| {
            bytes += part.bytes.len();
            bytes <= max_bytes
        };
        from_fn(|| self.parts.next_if(&mut fits)).collect()
    }

    fn is_done(&self) -> bool {
        self.parts.len() == 0
    }
}

/// All parts of both arrays.
fn parts(size: u32, mips: u32, layers: [Range<u32>; 2]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (array, layers) in layers.into_iter().enumerate() {
        let mut first = 0;
        for layer in layers {
            for mip in 0..mips {
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

/// The upload in progress, for the main world and for the render world.
#[derive(Resource, Clone, Default)]
pub(super) struct Uploads(Arc<Mutex<Option<(TextureUpload, [AssetId<Image>; 2])>>>);

impl Uploads {
    /// Uploads texels into these images, in place of what is being uploaded.
    pub fn start(&self, upload: TextureUpload, images: [AssetId<Image>; 2]) {
        drop_in_background(self.lock().replace((upload, images)), TerrainStreamPlugin::HAS_THREADS);
    }

    /// Whether something is being uploaded.
    pub fn are_running(&self) -> bool {
        self.lock().is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Option<(TextureUpload, [AssetId<Image>; 2])>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts all texels into the images at once, for tests without a GPU.
    #[cfg(test)]
    pub fn finish(&self, images: &mut Assets<Image>) {
        if let Some((upload, ids)) = self.lock().take() {
            for (id, texels) in ids.into_iter().zip(upload.texels) {
                images.get_mut(id).expect("the image is kept").data = Some(texels);
            }
        }
    }
}

/// Uploads what a frame has time for.
pub(super) fn upload_textures(uploads: Res<Uploads>, images: Res<RenderAssets<GpuImage>>, queue: Res<RenderQueue>) {
    let mut running = uploads.lock();
    let Some((upload, ids)) = &mut *running else { return };
    let [Some(color), Some(relief)] = ids.map(|id| images.get(id)) else { return };
    if upload.advance(FRAME, [&color.texture, &relief.texture], &queue) {
        drop_in_background(running.take(), TerrainStreamPlugin::HAS_THREADS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::gpu::Gpu;
    use bevy::render::render_resource::{
        TexelCopyBufferInfo, TextureDescriptor, TextureDimension, TextureFormat, TextureUsages,
    };
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};

    #[test]
    fn parts_cover_all_texels_once_and_no_frame_has_too_many() {
        for (size, mips, layers, max_bytes) in [
            (16, 5, [0..6, 0..8], FRAME),
            (1024, 11, [0..6, 0..8], FRAME),
            (128, 1, [5..6, 5..6], 1 << 20),
            (2048, 1, [0..1, 0..1], 1 << 20),
        ] {
            let layer = (0..mips).map(|mip| ((size >> mip) * (size >> mip) * TEXEL_BYTES) as usize).sum::<usize>();
            let bytes = layers.clone().map(|layers| layers.len() * layer);
            let mut upload = TextureUpload::new(size, mips, layers.clone(), bytes.map(|bytes| vec![0; bytes]));
            let (mut frames, mut covered) = (0, [0, 0]);
            let mut rows = 0;
            while !upload.is_done() {
                let parts = upload.next(max_bytes);
                assert!(!parts.is_empty() && parts.iter().map(|part| part.bytes.len()).sum::<usize>() <= max_bytes);
                for part in parts {
                    assert_eq!(part.bytes.start, covered[part.array], "{part:?}");
                    assert_eq!(part.side, size >> part.mip);
                    assert!(layers[part.array].contains(&part.layer), "{part:?}");
                    assert_eq!(part.bytes.len(), part.rows.len() * (part.side * TEXEL_BYTES) as usize);
                    assert_eq!(part.rows.start, rows, "{part:?}");
                    rows = part.rows.end % part.side;
                    covered[part.array] = part.bytes.end;
                }
                frames += 1;
            }
            assert_eq!(covered, bytes);
            assert!(
                frames <= bytes.iter().sum::<usize>().div_ceil(max_bytes - PART as usize),
                "{frames} frames for {size}"
            );
        }
    }

    #[test]
    fn each_texel_is_uploaded_to_its_place() {
        let Some(gpu) = Gpu::find() else { return };
        let (size, mips, layers) = (512, 10, [0..3, 1..3]);
        let texels_of_layer = (0..mips).map(|mip| (size >> mip) * (size >> mip)).sum::<u32>();
        let texels = [0, 1].map(|array: usize| {
            let numbers = 0..layers[array].len() as u32 * texels_of_layer;
            numbers.flat_map(|number| (number << 1 | array as u32).to_ne_bytes()).collect::<Vec<u8>>()
        });
        let textures = [(); 2].map(|()| {
            gpu.device.create_texture(&TextureDescriptor {
                label: None,
                size: Extent3d { width: size, height: size, depth_or_array_layers: 3 },
                mip_level_count: mips,
                sample_count: 1,
                dimension: TextureDimension::D2,
                format: TextureFormat::Rgba8Unorm,
                usage: TextureUsages::COPY_DST | TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        });
        let mut upload = TextureUpload::new(size, mips, layers.clone(), texels.clone());
        let mut frames = 1;
        while !upload.advance(FRAME, textures.each_ref(), &gpu.queue) {
            frames += 1;
        }
        assert!(frames > 1);
        for (array, texture) in textures.iter().enumerate() {
            let mut expected = texels[array].as_slice();
            for (layer, mip) in layers[array].clone().flat_map(|layer| (0..mips).map(move |mip| (layer, mip))) {
                let side = size >> mip;
                let row = (TEXEL_BYTES * side) as usize;
                // Rows of a buffer begin at multiples of 256 bytes.
                let stride = row.next_multiple_of(256);
                let found = gpu.read((stride * side as usize) as u64, |encoder, buffer| {
                    let layout =
                        TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride as u32), rows_per_image: None };
                    encoder.copy_texture_to_buffer(
                        TexelCopyTextureInfo {
                            mip_level: mip,
                            origin: Origin3d { x: 0, y: 0, z: layer },
                            ..texture.as_image_copy()
                        },
                        TexelCopyBufferInfo { buffer, layout },
                        Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                    );
                });
                for found in found.chunks(stride) {
                    assert!(found[..row] == expected[..row], "level {mip} of layer {layer} of array {array}");
                    expected = &expected[row..];
                }
            }
            assert!(expected.is_empty());
        }
    }

    #[test]
    fn a_new_upload_replaces_the_one_in_progress() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let uploads = Uploads::default();
        for size in [16, 32] {
            let upload =
                TextureUpload::new(size, 1, [0..1, 0..1], [(); 2].map(|()| vec![0; (4 * size * size) as usize]));
            uploads.start(upload, [AssetId::default(); 2]);
            assert_eq!(uploads.lock().as_ref().map(|(upload, _)| upload.size()), Some(size));
        }
    }
}
