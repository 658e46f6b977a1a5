//! The mesh of a tile: all parts of all its plants.

use super::rings::{Ring, TileCoord};
use crate::plants::{Plant, PlantCost, PlantKind, PlantLayer, Plants};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::mesh::{Indices, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat};
use bevy::prelude::*;
use perlin_terrain::plants::forms::{CardTexture, FormPart, PartRole, PlantForm};

// The lengths of a mesh are parts of its reach, so that 16 bits suffice. See `Frame`.

/// The center of a part, relative to the middle of the tile; the normal, in 15 bits.
pub(super) const CENTER: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Center", 0x706c_616e_7400, VertexFormat::Snorm16x4);

/// From the center of the part to the vertex; how far the wind moves it.
pub(super) const OFFSET: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Offset", 0x706c_616e_7401, VertexFormat::Snorm16x4);

/// The square root of the color, and when the plant sways.
pub(super) const COLOR: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Color", 0x706c_616e_7402, VertexFormat::Unorm8x4);

/// The square of the tile, the role, the layer of the texture, the layer of plants, and the place in the texture: see `plant_vertex.wesl`.
pub(super) const PLACE: MeshVertexAttribute =
    MeshVertexAttribute::new("Plant_Place", 0x706c_616e_7403, VertexFormat::Uint32);

/// The most vertices of a mesh, so that its indices have 16 bits.
const MAX_VERTICES: usize = 65_535;

/// So many vertices are written in a step: some tenths of a millisecond.
const STEP_VERTICES: usize = 4096;

/// How far the wind bends a plant, as a factor of `swayed` in `plant.wesl`: the top of one that is 10 m high moves by up to 10 cm at 10 m/s.
const SWAY: f32 = 0.014;

/// The plants of a tile, in the form that is drawn.
pub(super) struct TileMesh {
    /// `None` without plants.
    pub mesh: Option<(Mesh, Aabb, Frame)>,
    /// Bytes of the vertices and indices.
    pub bytes: usize,
    /// How many plants did not fit.
    pub left_out: usize,
}

/// Where the mesh of a tile is, and how large its unit of length is. Both are metres of the terrain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Frame {
    /// The height of the middle.
    pub height: f32,
    /// How far the mesh reaches from its middle along each axis, at most.
    pub reach: f32,
}

impl Frame {
    /// The frame of the mesh with these plants of a tile.
    fn new(tile: TileCoord, all: &[(usize, Plant)]) -> Self {
        let heights = all.iter().map(|(_, plant)| plant.position[1] as f32);
        let (min, max) = heights.fold((f32::MAX, f32::MIN), |(min, max), height| (min.min(height), max.max(height)));
        let largest = all.iter().map(|(_, plant)| plant.size).fold(0.0, f32::max);
        let half = (0.5 * tile.ring.side() as f32).max(0.5 * (max - min));
        Self { height: 0.5 * (min + max), reach: half + PlantForm::REACH * largest }
    }
}

/// Writes the mesh of a tile, in steps.
pub(super) struct TileWriter<'a> {
    plants: Vec<&'a PlantLayer>,
    tile: TileCoord,
    /// What is left to write, in reverse order.
    rest: Vec<(usize, Plant)>,
    frame: Frame,
    left_out: usize,
    vertices: Vertices,
}

impl<'a> TileWriter<'a> {
    /// Begins the mesh of these plants of a tile. If they are too many, those of the highest ranks are left out.
    pub fn new(plants: &'a Plants, tile: TileCoord, mut all: Vec<(usize, Plant)>) -> Self {
        all.sort_by(|(_, a), (_, b)| Plant::by_rank(b, a));
        let frame = Frame::new(tile, &all);
        let plants = plants.layers().collect();
        Self { plants, tile, rest: all, frame, left_out: 0, vertices: Vertices::default() }
    }

    /// Does a step. Whether there is another one.
    pub fn step(&mut self) -> bool {
        let end = self.vertices.centers.len() + STEP_VERTICES;
        while self.vertices.centers.len() < end {
            let Some((number, plant)) = self.rest.pop() else { return false };
            let layer = self.plants[number];
            let part = PlantForm::parts(layer.kind, plant.variant.into(), plant.size)[self.tile.ring as usize];
            if self.vertices.centers.len() + part.vertices.len() > MAX_VERTICES {
                self.left_out += 1;
                continue;
            }
            let sway = if layer.kind == PlantKind::Stone { 0.0 } else { SWAY * plant.size };
            let drawn = Drawn { layer: number, plant, tint: tint(layer), sway };
            self.vertices.add(self.tile, self.frame, &drawn, part);
        }
        true
    }

    /// The mesh, when all steps are done.
    pub fn finish(self) -> TileMesh {
        let Self { vertices, frame, left_out, .. } = self;
        vertices.finish(frame, left_out)
    }
}

/// A plant with what its layer says of its look.
struct Drawn {
    layer: usize,
    plant: Plant,
    tint: Vec3,
    /// How far the wind bends it at its top.
    sway: f32,
}

/// The factors of the color of leaves or of stone that give them the color of the layer.
fn tint(layer: &PlantLayer) -> Vec3 {
    let Some([red, green, blue]) = layer.color else { return Vec3::ONE };
    Color::srgb(red, green, blue).to_linear().to_vec3() / Vec3::from(layer.kind.color())
}

/// The vertices of a mesh in the making.
#[derive(Default)]
struct Vertices {
    centers: Vec<[i16; 4]>,
    offsets: Vec<[i16; 4]>,
    colors: Vec<[u8; 4]>,
    places: Vec<u32>,
    indices: Vec<u16>,
    /// In metres.
    bounds: Option<(Vec3, Vec3)>,
}

impl Vertices {
    fn add(&mut self, tile: TileCoord, frame: Frame, drawn: &Drawn, part: FormPart) {
        let Drawn { layer, ref plant, tint, sway } = *drawn;
        let first = self.centers.len() as u16;
        self.indices.extend(part.triangles.iter().flatten().map(|corner| first + corner));
        let [x, y, z] = plant.position;
        let [middle_x, middle_z] = tile.center();
        let foot = Vec3::new((x - middle_x) as f32, y as f32 - frame.height, (z - middle_z) as f32);
        let turn = Quat::from_rotation_y(plant.yaw);
        let in_tile = square(tile, [x, z]) | (layer as u32) << 12;
        // Plants of a layer differ a little in brightness.
        let brightness = 0.85 + 0.3 * f32::from(plant.variant.wrapping_mul(37)) / 255.0;
        let parts_of_reach = |vector: Vec3| (vector / frame.reach).to_array().map(snorm16);
        for vertex in part.vertices {
            let center = foot + turn * Vec3::from(vertex.center) * plant.size;
            let offset = turn * Vec3::from(vertex.offset) * plant.size;
            let height = (vertex.center[1] + vertex.offset[1]).max(0.0);
            let sway = sway * height * height;
            let [x, y, z] = parts_of_reach(center);
            self.centers.push([x, y, z, packed_normal(turn * Vec3::from(vertex.normal))]);
            let [x, y, z] = parts_of_reach(offset);
            self.offsets.push([x, y, z, snorm16(sway / frame.reach)]);
            let is_bark = vertex.role != PartRole::Picture && vertex.texture == CardTexture::Bark as u8;
            let color = Vec3::from(vertex.color) * brightness * if is_bark { Vec3::ONE } else { tint };
            let [red, green, blue] = color.to_array().map(|part| unorm8(part.max(0.0).sqrt()));
            self.colors.push([red, green, blue, plant.variant]);
            let [u, v] = vertex.uv.map(|along| u32::from(unorm8(along)));
            let in_plant = (vertex.role as u32) << 4 | u32::from(vertex.texture) << 6 | u << 16 | v << 24;
            self.places.push(in_tile | in_plant);
            let (min, max) = self.bounds.unwrap_or((Vec3::MAX, Vec3::MIN));
            let reach = offset.abs() * if vertex.role == PartRole::Kept { PlantForm::WIDER } else { 1.0 };
            self.bounds = Some((min.min(center - reach), max.max(center + reach)));
        }
    }

    fn finish(self, frame: Frame, left_out: usize) -> TileMesh {
        let Some((min, max)) = self.bounds else { return TileMesh { mesh: None, bytes: 0, left_out } };
        let bytes =
            self.centers.len() * PlantCost::BYTES_PER_VERTEX + self.indices.len() / 3 * PlantCost::BYTES_PER_TRIANGLE;
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(CENTER, VertexAttributeValues::Snorm16x4(self.centers))
            .with_inserted_attribute(OFFSET, VertexAttributeValues::Snorm16x4(self.offsets))
            .with_inserted_attribute(COLOR, VertexAttributeValues::Unorm8x4(self.colors))
            .with_inserted_attribute(PLACE, self.places)
            .with_inserted_indices(Indices::U16(self.indices));
        // A storm moves the tops of the highest ones so far.
        let wind = Vec3::splat(4.0);
        let bounds = Aabb::from_min_max((min - wind) / frame.reach, (max + wind) / frame.reach);
        TileMesh { mesh: Some((mesh, bounds, frame)), bytes, left_out }
    }
}

/// The number of the square of a tile in which a position lies. 0 in the near ring, which has none.
fn square(tile: TileCoord, position: [f64; 2]) -> u32 {
    let Some(finer) = tile.ring.finer() else { return 0 };
    let [min, _] = tile.corners();
    let [x, z] = [0, 1].map(|axis| {
        let index = ((position[axis] - min[axis]) / finer.side()).floor();
        (index as i64).clamp(0, Ring::WIDER - 1)
    });
    (z * Ring::WIDER + x) as u32
}

fn snorm16(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 32_767.0).round() as i16
}

/// A unit normal in 15 bits, as `unpacked_normal` in `plant_vertex.wesl` reads it: on an octahedron, whose lower half is folded outward.
/// Source: Cigolle and others, A survey of efficient representations for independent unit vectors, 2014.
pub(super) fn packed_normal(normal: Vec3) -> i16 {
    let flat = normal.xz() / normal.abs().element_sum();
    let folded = (Vec2::ONE - flat.yx().abs()) * flat.signum();
    let place = if normal.y < 0.0 { folded } else { flat };
    let [x, z] = (place * 0.5 + 0.5).to_array();
    let part = |along: f32, steps: f32| (along.clamp(0.0, 1.0) * steps).round() as i16;
    part(x, 255.0) << 7 | part(z, 127.0)
}

fn unorm8(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkLayout;
    use crate::field::HeightField;
    use crate::settings::TerrainSettings;
    use perlin_terrain::ground::Ground;
    use std::sync::Arc;

    /// The plants of a layer in a tile, on ground that is so many times as steep, and their mesh.
    fn mesh_of(layer: PlantLayer, tile: TileCoord, steeper: f64) -> (Vec<Plant>, Mesh, Frame) {
        let settings = TerrainSettings::default();
        let ground = Ground::new(Arc::new(HeightField::new(&settings.field)), ChunkLayout::new(&settings.chunks));
        let plants = Plants::new(ground, 1, &[layer], &settings.look);
        let [min, max] = tile.corners();
        let mut all = plants.in_box(0, min, max).expect("a tile is small");
        all.iter_mut().for_each(|plant| plant.position[1] *= steeper);
        let mut writer = TileWriter::new(&plants, tile, all.iter().map(|plant| (0, *plant)).collect());
        while writer.step() {}
        let (mesh, _, frame) = writer.finish().mesh.expect("plants stand everywhere");
        all.sort_by(Plant::by_rank);
        (all, mesh, frame)
    }

    #[test]
    fn sixteen_bits_hold_a_place_to_a_few_centimetres_also_on_steep_ground() {
        let layer = PlantLayer { kind: PlantKind::Stone, spacing: 9.0, ..PlantLayer::default() };
        for ring in [Ring::Near, Ring::Middle] {
            let tile = TileCoord { ring, at: [100_000_000, -3] };
            let (plants, mesh, frame) = mesh_of(layer.clone(), tile, 500.0);
            let [Some(VertexAttributeValues::Snorm16x4(centers)), Some(VertexAttributeValues::Snorm16x4(offsets))] =
                [CENTER, OFFSET].map(|attribute| mesh.attribute(attribute).cloned())
            else {
                panic!("it has places");
            };
            let [middle_x, middle_z] = tile.center();
            // All parts of a stone have their center at its foot.
            let of_plants = centers.chunks_exact(centers.len() / plants.len());
            for (plant, centers) in plants.iter().zip(of_plants) {
                let [x, y, z] = plant.position;
                let foot = Vec3::new((x - middle_x) as f32, y as f32 - frame.height, (z - middle_z) as f32);
                for [x, y, z, _] in centers {
                    let center = Vec3::from([x, y, z].map(|along| f32::from(*along) / 32_767.0)) * frame.reach;
                    assert!(center.distance(foot) < 0.03, "{ring:?}: {center} in place of {foot}");
                }
            }
            assert!(offsets.iter().flatten().all(|along| along.abs() < 32_767), "{ring:?}: {frame:?}");
            assert!(!plants.is_empty() && frame.reach > 2.0 * ring.side() as f32, "{ring:?}: {frame:?}");
        }
    }

    #[test]
    fn pictures_have_the_hue_of_bright_leaves() {
        let snowy = [0.85, 0.88, 0.9];
        let layer = PlantLayer { kind: PlantKind::Conifer, color: Some(snowy), ..PlantLayer::default() };
        let (_, mesh, _) = mesh_of(layer, TileCoord { ring: Ring::Far, at: [0, 0] }, 1.0);
        let Some(VertexAttributeValues::Unorm8x4(colors)) = mesh.attribute(COLOR) else { panic!("it has colors") };
        let [red, green, blue] = Color::srgb(snowy[0], snowy[1], snowy[2]).to_linear().to_f32_array_no_alpha();
        for [r, g, b, _] in colors {
            let [r, g, b] = [r, g, b].map(|byte| (f32::from(*byte) / 255.0).powi(2));
            assert!((r / g - red / green).abs() < 0.03 && (b / g - blue / green).abs() < 0.03, "{r}, {g}, {b}");
        }
    }
}
