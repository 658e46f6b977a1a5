//! The cost of a view.

use crate::percentile::percentile;
use bevy::camera::visibility::{CascadesVisibleEntities, VisibleEntities, VisibleMeshEntities};
use bevy::diagnostic::{Diagnostic, DiagnosticsStore};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::reflect::structs::Struct;
use bevy::render::mesh::{RenderMesh, RenderMeshBufferInfo};
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::TextureFormat;
use bevy::render::renderer::{RenderAdapterInfo, RenderDevice};
use bevy::render::{ExtractSchedule, MainWorld, RenderApp};
use bevy_perlin_terrain::render::{TerrainMaterial, TerrainMaterials, TerrainWater};
use std::collections::{HashMap, HashSet};
use std::ops::AddAssign;

/// What a view draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drawn {
    /// Batches: meshes that are the same, with the same material, are drawn at once.
    pub batches: usize,
    /// Those of all meshes.
    pub triangles: usize,
}

impl AddAssign for Drawn {
    fn add_assign(&mut self, other: Self) {
        self.batches += other.batches;
        self.triangles += other.triangles;
    }
}

/// The cost of a view.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Within the frustum of the camera.
    pub view: Drawn,
    /// Within all cascades of all lights.
    pub shadows: Drawn,
    /// The textures of the ground, in bytes. The maps of shade, which belong to the renderer, are not counted.
    pub textures: u64,
    /// All memory that the renderer allocated on the GPU, in bytes. `None` if it can't say.
    pub memory: Option<u64>,
    /// How often a fragment shader ran in a frame. `None` if the GPU can't count.
    pub fragments: Option<f64>,
    /// Milliseconds of the main pass, which draws the ground. `None` without timestamps, and where a processor draws.
    pub main_pass: Option<f64>,
    /// Milliseconds of all passes with timestamps. Bevy gives the passes of shadows none.
    pub passes: Option<f64>,
}

/// The cost of the view of an app.
pub fn of(app: &mut App) -> Cost {
    app.world_mut().run_system_cached(|counted: Counted| counted.cost()).expect("the app draws terrain")
}

/// Counts the triangles of all meshes, which [`of`] asks for. Needs Bevy's `RenderPlugin` before it.
pub fn plugin(app: &mut App) {
    app.init_resource::<Triangles>().sub_app_mut(RenderApp).add_systems(ExtractSchedule, count_triangles);
}

/// The triangles of the meshes on the GPU. Many of them have no data elsewhere.
#[derive(Resource, Default)]
struct Triangles(HashMap<AssetId<Mesh>, usize>);

fn count_triangles(mut main: ResMut<MainWorld>, meshes: Res<RenderAssets<RenderMesh>>) {
    let triangles = |mesh: &RenderMesh| match mesh.buffer_info {
        RenderMeshBufferInfo::Indexed { count, .. } => count as usize / 3,
        RenderMeshBufferInfo::NonIndexed => mesh.vertex_count as usize / 3,
    };
    main.resource_mut::<Triangles>().0 = meshes.iter().map(|(id, mesh)| (id, triangles(mesh))).collect();
}

type MeshAndMaterial = (
    &'static Mesh3d,
    Option<&'static MeshMaterial3d<TerrainMaterial>>,
    Option<&'static MeshMaterial3d<TerrainWater>>,
    Option<&'static MeshMaterial3d<StandardMaterial>>,
);

/// All that the cost is counted from.
#[derive(SystemParam)]
struct Counted<'w, 's> {
    cameras: Query<'w, 's, &'static VisibleEntities, With<Camera3d>>,
    lights: Query<'w, 's, &'static CascadesVisibleEntities>,
    meshes: Query<'w, 's, MeshAndMaterial>,
    triangles: Res<'w, Triangles>,
    terrains: Query<'w, 's, &'static TerrainMaterials>,
    materials: Res<'w, Assets<TerrainMaterial>>,
    images: Res<'w, Assets<Image>>,
    diagnostics: Res<'w, DiagnosticsStore>,
    device: Res<'w, RenderDevice>,
    adapter: Res<'w, RenderAdapterInfo>,
}

impl Counted<'_, '_> {
    fn cost(&self) -> Cost {
        let mut view = Drawn::default();
        for visible in &self.cameras {
            view += self.drawn(visible.entities.values().flatten());
        }
        let mut shadows = Drawn::default();
        for VisibleMeshEntities { entities, .. } in
            self.lights.iter().flat_map(|light| light.entities.values().flatten())
        {
            shadows += self.drawn(entities);
        }
        // Of a crate that is not a dependency: compared by name.
        let is_measured = format!("{:?}", self.adapter.device_type) != "Cpu";
        let times = |pass| self.median(pass, "elapsed_gpu").filter(|_| is_measured);
        Cost {
            view,
            shadows,
            textures: self.terrains.iter().map(|materials| self.textures(materials)).max().unwrap_or_default(),
            memory: self.device.wgpu_device().generate_allocator_report().map(|report| report.total_allocated_bytes),
            fragments: self.median("", "fragment_shader_invocations"),
            main_pass: times("main_opaque_pass_3d"),
            passes: times(""),
        }
    }

    fn drawn<'a>(&self, entities: impl IntoIterator<Item = &'a Entity>) -> Drawn {
        let (mut batches, mut triangles) = (HashSet::new(), 0);
        for &entity in entities {
            let Ok((mesh, ground, water, other)) = self.meshes.get(entity) else { continue };
            let material = [
                ground.map(|material| material.0.id().untyped()),
                water.map(|material| material.0.id().untyped()),
                other.map(|material| material.0.id().untyped()),
            ];
            batches.insert((mesh.0.id(), material));
            triangles += self.triangles.0.get(&mesh.0.id()).copied().unwrap_or_default();
        }
        Drawn { batches: batches.len(), triangles }
    }

    /// The bytes of all textures that the look of a terrain names.
    fn textures(&self, materials: &TerrainMaterials) -> u64 {
        let Some(material) = self.materials.get(&materials.ground) else { return 0 };
        let fields = material.base.iter_fields().filter_map(|(_, field)| field.try_downcast_ref::<Handle<Image>>());
        fields.filter_map(|handle| self.images.get(handle)).map(bytes).sum()
    }

    /// The sum of a measurement of all passes with `pass` in their names, each the median of its frames. `None` if there is none.
    fn median(&self, pass: &str, measurement: &str) -> Option<f64> {
        let passes = self.diagnostics.iter().filter(|diagnostic| {
            let path = diagnostic.path().as_str();
            path.contains(pass) && path.ends_with(measurement)
        });
        let medians: Vec<f64> = passes.filter_map(median).collect();
        (!medians.is_empty()).then(|| medians.iter().sum())
    }
}

fn median(diagnostic: &Diagnostic) -> Option<f64> {
    percentile(&mut diagnostic.values().copied().collect::<Vec<_>>(), 0.5)
}

/// The bytes of an image, with all layers and mip levels.
fn bytes(image: &Image) -> u64 {
    let descriptor = &image.texture_descriptor;
    let texel = |format: TextureFormat| u64::from(format.block_copy_size(None).unwrap_or_default());
    let level = |level| {
        let size = descriptor.size.mip_level_size(level, descriptor.dimension);
        u64::from(size.width) * u64::from(size.height) * u64::from(size.depth_or_array_layers)
    };
    (0..descriptor.mip_level_count).map(level).sum::<u64>() * texel(descriptor.format)
}
