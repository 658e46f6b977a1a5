//! Draws the border of every chunk, with its level and its age.

use crate::overlay::Show;
use bevy::ecs::system::SystemParam;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, egui};
use bevy_perlin_terrain::chunk::{ChunkCoord, ChunkLayout};
use bevy_perlin_terrain::field::HeightField;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{TerrainFrame, TerrainPlace};

/// The time at which a chunk was shown, in seconds since the start.
#[derive(Component)]
pub struct ShownSince(f32);

pub fn record_shown(shown: On<ChunkShown>, time: Res<Time>, mut commands: Commands) {
    commands.entity(shown.chunk).try_insert(ShownSince(time.elapsed_secs()));
}

/// The color of a level. Neighboring levels have very different hues.
fn color_of(level: u8) -> Color {
    Color::hsl((f32::from(level) * 137.5 + 20.0) % 360.0, 0.95, 0.55)
}

/// All drawn chunks.
#[derive(SystemParam)]
pub struct ShownChunks<'w, 's> {
    terrains: Query<'w, 's, (&'static TerrainState, TerrainPlace)>,
    chunks: Query<'w, 's, (&'static TerrainChunk, &'static ChunkDrawn, &'static ShownSince)>,
    time: Res<'w, Time>,
}

/// A drawn chunk and its terrain.
struct ShownChunk<'a> {
    coord: ChunkCoord,
    /// Seconds since it was shown.
    age: f32,
    field: &'a HeightField,
    layout: &'a ChunkLayout,
    frame: TerrainFrame,
}

impl ShownChunks<'_, '_> {
    fn iter(&self) -> impl Iterator<Item = ShownChunk<'_>> {
        let shown = self.chunks.iter().filter(|(_, drawn, _)| drawn.is_drawn());
        shown.filter_map(|(chunk, _, since)| {
            let (state, place) = self.terrains.get(chunk.terrain).ok()?;
            let (field, layout) = (state.field()?, state.layout()?);
            let age = self.time.elapsed_secs() - since.0;
            Some(ShownChunk { coord: chunk.coord, age, field, layout, frame: place.frame() })
        })
    }
}

/// Draws lines along the border of every drawn chunk. A new chunk is white and fades to the color of its level.
pub fn draw_chunk_borders(mut gizmos: Gizmos, chunks: ShownChunks) {
    for ShownChunk { coord, age, field, layout, frame } in chunks.iter() {
        let grid = layout.grid(coord, 0);
        let last = grid.size[0] - 1;
        let point = |column: usize, row: usize| {
            let [x, z] = grid.position(column, row);
            frame.to_world(DVec3::new(x, f64::from(field.height(x, z)) + 0.5 * grid.stride as f64, z))
        };
        let color = Color::WHITE.mix(&color_of(coord.level), (age / 2.0).min(1.0));
        // Only the west and the north border. The neighbors draw the others.
        gizmos.linestrip((0..=last).step_by(4).map(|i| point(i, 0)), color);
        gizmos.linestrip((0..=last).step_by(4).map(|i| point(0, i)), color);
    }
}

/// Writes the level and the age in seconds over the center of every chunk.
pub fn write_chunk_levels(
    mut contexts: EguiContexts,
    show: Res<Show>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    chunks: ShownChunks,
) -> Result {
    if !show.borders {
        return Ok(());
    }
    let Some((camera, view)) = cameras.iter().next() else {
        return Ok(());
    };
    let painter = contexts.ctx_mut()?.layer_painter(egui::LayerId::background());
    for ShownChunk { coord, age, field, layout, frame } in chunks.iter() {
        let half = layout.chunk_size(coord.level) / 2.0;
        let [x, z] = layout.origin(coord).map(|start| start + half);
        let middle = frame.to_world(DVec3::new(x, field.height(x, z).into(), z));
        // Distant chunks are too small for a label.
        let distance = middle.distance(view.translation());
        let Ok(place) = camera.world_to_viewport(view, middle) else {
            continue;
        };
        if half as f32 / distance > 0.06 {
            let [red, green, blue, _] = color_of(coord.level).to_srgba().to_u8_array();
            let text = format!("{} · {:.0} s", coord.level, age.min(999.0));
            let font = egui::FontId::proportional(13.0);
            let at = egui::pos2(place.x, place.y);
            let center = egui::Align2::CENTER_CENTER;
            painter.text(at + egui::vec2(1.0, 1.0), center, &text, font.clone(), egui::Color32::BLACK);
            painter.text(at, center, text, font, egui::Color32::from_rgb(red, green, blue));
        }
    }
    Ok(())
}
