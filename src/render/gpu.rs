//! Runs functions of shaders on a GPU, for tests that compare them with Rust. A driver that draws on the processor
//! suffices.

use super::shaders::compile::compile_text;
use bevy::prelude::*;
use bevy::render::render_resource::encase::internal::WriteInto;
use bevy::render::render_resource::encase::{ShaderSize, StorageBuffer, UniformBuffer};
use bevy::render::render_resource::{
    BindGroupEntry, BindingResource, Buffer, BufferDescriptor, BufferInitDescriptor, BufferUsages, CommandEncoder,
    CommandEncoderDescriptor, MapMode, PipelineCompilationOptions, PollType, RawComputePipelineDescriptor,
    ShaderModuleDescriptor, ShaderSource, ShaderType,
};
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::settings::RenderResources;
use testing::driver;

/// A GPU with a driver.
pub(crate) struct Gpu {
    pub device: RenderDevice,
    pub queue: RenderQueue,
}

impl Gpu {
    /// The GPU of this machine. `None` without a driver, if it may be missing.
    pub fn find() -> Option<Self> {
        let RenderResources(device, queue, ..) = driver()?;
        Some(Self { device, queue })
    }

    /// Runs the entry point `main` of a compute shader with groups of 64, one thread for each input, and returns one output for each.
    /// The material bind group is group 0. The uniform is at `uniform_binding`, the array of inputs at binding 1, and that of outputs at
    /// binding 2.
    pub fn compute<Input, Output>(
        &self,
        shader: &str,
        uniform_binding: u32,
        uniform: &(impl ShaderType + WriteInto),
        inputs: &[Input],
    ) -> Vec<Output>
    where
        Input: ShaderType + ShaderSize + WriteInto,
        Output: ShaderType + ShaderSize + WriteInto + Default + Copy,
        Vec<Output>: bevy::render::render_resource::encase::internal::ReadFrom,
    {
        self.compute_with(&[], shader, uniform_binding, uniform, inputs)
    }

    /// The same with textures and samplers, each at its binding.
    pub fn compute_with<Input, Output>(
        &self,
        resources: &[(u32, BindingResource)],
        shader: &str,
        uniform_binding: u32,
        uniform: &(impl ShaderType + WriteInto),
        inputs: &[Input],
    ) -> Vec<Output>
    where
        Input: ShaderType + ShaderSize + WriteInto,
        Output: ShaderType + ShaderSize + WriteInto + Default + Copy,
        Vec<Output>: bevy::render::render_resource::encase::internal::ReadFrom,
    {
        let device = &self.device;
        let shader =
            compile_text(shader, &[("MATERIAL_BIND_GROUP", Some(0))]).unwrap_or_else(|error| panic!("{error}"));
        let module = device.create_and_validate_shader_module(ShaderModuleDescriptor {
            label: None,
            source: ShaderSource::Wgsl(shader.into()),
        });
        let pipeline = device.create_compute_pipeline(&RawComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_with_data(&BufferInitDescriptor { label: None, contents, usage })
        };
        let mut shared = UniformBuffer::new(Vec::new());
        shared.write(uniform).expect("a vector grows");
        let mut input = StorageBuffer::new(Vec::new());
        input.write(inputs).expect("a vector grows");
        let mut output = StorageBuffer::new(Vec::new());
        output.write(&vec![Output::default(); inputs.len()]).expect("a vector grows");
        let results = buffer(output.as_ref(), BufferUsages::STORAGE | BufferUsages::COPY_SRC);
        let (uniform, input) =
            (buffer(shared.as_ref(), BufferUsages::UNIFORM), buffer(input.as_ref(), BufferUsages::STORAGE));
        let buffers = [(uniform_binding, &uniform), (1, &input), (2, &results)];
        let buffers = buffers.map(|(binding, buffer)| (binding, buffer.as_entire_binding()));
        let entries: Vec<_> = (buffers.into_iter().chain(resources.iter().cloned()))
            .map(|(binding, resource)| BindGroupEntry { binding, resource })
            .collect();
        let group = device.create_bind_group(None, &pipeline.get_bind_group_layout(0).into(), &entries);
        let bytes = self.read(results.size(), |encoder, readable| {
            let mut pass = encoder.begin_compute_pass(&default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &*group, &[]);
            pass.dispatch_workgroups(inputs.len().div_ceil(64) as u32, 1, 1);
            drop(pass);
            encoder.copy_buffer_to_buffer(&results, 0, readable, 0, results.size());
        });
        let mut found: Vec<Output> = Vec::new();
        StorageBuffer::new(bytes).read(&mut found).expect("as many bytes as outputs");
        found
    }

    /// The bytes that `record` copies to a buffer of this size.
    pub fn read(&self, size: u64, record: impl FnOnce(&mut CommandEncoder, &Buffer)) -> Vec<u8> {
        let Self { device, queue } = self;
        let readable = device.create_buffer(&BufferDescriptor {
            label: None,
            size,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor::default());
        record(&mut encoder, &readable);
        queue.submit([encoder.finish()]);
        let slice = readable.slice(..);
        device.map_buffer(&slice, MapMode::Read, |mapped| mapped.expect("the buffer is for reading"));
        device.poll(PollType::wait_indefinitely()).expect("the GPU answers");
        slice.get_mapped_range().expect("the buffer is mapped").to_vec()
    }
}
