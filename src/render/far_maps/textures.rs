//! The texture arrays of the maps of a terrain.

use super::super::texture_array::array_layers;
use super::super::texture_upload::TextureUpload;
use super::{FarView, NO_MAP, Subject, TerrainFarMaps, map_uniform, next_map};
use crate::look::far_map::{FarMap, TEXELS};
use crate::stream::{Background, TerrainFrame};
use bevy::math::Vec4;
use bevy::render::render_resource::{
    AddressMode, Extent3d, FilterMode, Sampler, SamplerDescriptor, Texture, TextureDescriptor, TextureDimension,
    TextureFormat, TextureUsages, TextureView, TextureViewDescriptor, TextureViewDimension,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use std::array;

/// The number of maps.
const MAPS: usize = TEXELS.len();

/// The most bytes that are uploaded in a frame.
const UPLOAD: usize = 1 << 20;

/// A map of edited ground is begun so many frames after the last one: about a second. Somebody may go on editing.
const EDITS_WAIT: u32 = 60;

/// The maps of a terrain on the GPU.
pub struct FarMapTextures {
    /// The side of a map in texels.
    size: u32,
    normals: Texture,
    shape: Texture,
    views: [TextureView; 2],
    sampler: Sampler,
    /// The area of each map.
    subjects: [Option<Subject>; MAPS],
    /// x and z of the corner of each map.
    corners: [[f64; 2]; MAPS],
    /// The layer of each map in both arrays, then the one that is free.
    layers: [u32; MAPS + 1],
    work: Option<Work>,
    /// How many frames ago the last map of edited ground was begun.
    frames: u32,
    maps_begun: u32,
}

/// The map that is being made or uploaded.
struct Work {
    number: usize,
    subject: Subject,
    stage: Stage,
}

enum Stage {
    Making(Background<FarMap>),
    /// The texels, and the corner of the map.
    Uploading(TextureUpload, [f64; 2]),
}

impl FarMapTextures {
    /// Creates textures for maps of `size` x `size` texels, without a map. 0 means no maps at all.
    pub fn new(size: u32, device: &RenderDevice) -> Self {
        let side = size.max(1);
        let layers = array_layers(if size > 0 { MAPS as u32 + 1 } else { 1 });
        let array = |label, format| {
            device.create_texture(&TextureDescriptor {
                label: Some(label),
                size: Extent3d { width: side, height: side, depth_or_array_layers: layers },
                mip_level_count: 1,
                sample_count: 1,
                dimension: TextureDimension::D2,
                format,
                usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
                view_formats: &[],
            })
        };
        // Eight bits a normal would show as bands on snow.
        let normals = array("terrain_far_normals", TextureFormat::Rg16Float);
        let shape = array("terrain_far_shape", TextureFormat::Rgba8Unorm);
        let view = |texture: &Texture| {
            texture.create_view(&TextureViewDescriptor {
                dimension: Some(TextureViewDimension::D2Array),
                ..Default::default()
            })
        };
        Self {
            size,
            views: [view(&normals), view(&shape)],
            normals,
            shape,
            sampler: device.create_sampler(&SamplerDescriptor {
                label: Some("terrain_far_maps"),
                address_mode_u: AddressMode::ClampToEdge,
                address_mode_v: AddressMode::ClampToEdge,
                mag_filter: FilterMode::Linear,
                min_filter: FilterMode::Linear,
                ..Default::default()
            }),
            subjects: Default::default(),
            corners: Default::default(),
            layers: array::from_fn(|layer| layer as u32),
            work: None,
            frames: EDITS_WAIT,
            maps_begun: 0,
        }
    }

    /// The array of normals, that of shapes, and the sampler of both.
    pub const fn bindings(&self) -> (&[TextureView; 2], &Sampler) {
        (&self.views, &self.sampler)
    }

    /// Does the work of a frame.
    pub fn update(&mut self, view: &FarView, maps: &TerrainFarMaps, queue: &RenderQueue) {
        if self.size == 0 {
            return;
        }
        // Maps of other ground would not fit.
        let extent = |number: usize| TEXELS[number] * f64::from(self.size);
        for (number, subject) in self.subjects.iter_mut().enumerate() {
            subject.take_if(|subject| !subject.follow(view, extent(number)));
        }
        self.work.take_if(|work| !work.subject.follow(view, extent(work.number)));
        if let Some(mut work) = self.work.take() {
            if let Stage::Making(making) = &mut work.stage
                && let Some(FarMap { corner, normals, shape }) = making.take()
            {
                let free = self.layers[MAPS]..self.layers[MAPS] + 1;
                let upload = TextureUpload::new(self.size, 1, [free.clone(), free], [normals, shape]);
                work.stage = Stage::Uploading(upload, corner);
            }
            if let Stage::Uploading(upload, corner) = &mut work.stage
                && upload.advance(UPLOAD, [&self.normals, &self.shape], queue)
            {
                self.show(work.number, work.subject, *corner);
            } else {
                self.work = Some(work);
            }
        }
        self.frames = self.frames.saturating_add(1);
        let next = next_map(&self.subjects, view, self.size, self.frames >= EDITS_WAIT);
        if let (Some(number), None) = (next, &self.work) {
            if self.subjects[number].as_ref().is_some_and(|subject| subject.is_edited) {
                self.frames = 0;
            }
            self.maps_begun += 1;
            let stage = Stage::Making(view.start(number, self.size));
            self.work = Some(Work { number, subject: Subject::new(view, self.maps_begun), stage });
        }
        let is_complete = self.work.is_none() && next_map(&self.subjects, view, self.size, true).is_none();
        maps.set_complete(is_complete);
    }

    /// Shows the map in the free layer. The layer of the map that it replaces is free then.
    fn show(&mut self, number: usize, subject: Subject, corner: [f64; 2]) {
        self.layers.swap(number, MAPS);
        self.corners[number] = corner;
        self.subjects[number] = Some(subject);
    }

    /// The numbers with which the shader finds a position on each map.
    pub fn uniform(&self, frame: &TerrainFrame) -> [Vec4; MAPS] {
        array::from_fn(|number| match self.subjects[number] {
            Some(_) => {
                let extent = TEXELS[number] * f64::from(self.size);
                map_uniform(self.corners[number], extent, self.layers[number], frame)
            }
            None => NO_MAP,
        })
    }
}
