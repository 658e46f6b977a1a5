//! The flight without a window or a GPU.

use crate::flight::{self, Autopilot};
use crate::{Options, asset_plugin};
use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::look::{SurfaceLayers, SurfaceSample};
use bevy_perlin_terrain::prelude::*;
use std::{path::Path, time::Duration};

pub fn app() -> App {
    let frame = Duration::from_secs(1) / 60;
    let mut app = App::new();
    app.add_plugins((
        // Frames take as long as with a window, so that background tasks have the same time.
        MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(frame)),
        (TransformPlugin, asset_plugin(), TerrainMinimalPlugins, flight::plugin),
    ))
    .insert_resource(TimeUpdateStrategy::ManualDuration(frame))
    .add_systems(Last, end.run_if(flight::is_last_frame));
    app
}

/// Prints what the terrain did, and draws the map.
fn end(
    options: Res<Options>,
    stats: Res<TerrainStats>,
    terrain: Single<&TerrainState>,
    viewer: Single<(&Transform, &TerrainViewer, &Autopilot)>,
    mut exit: MessageWriter<AppExit>,
) {
    let (transform, viewer, Autopilot(frames)) = *viewer;
    let TerrainStats { chunks_drawn, chunks_built, chunks_removed, .. } = *stats;
    println!("flew {frames} frames over {}", options.settings);
    println!("chunks: {chunks_built} built, {chunks_removed} removed, {chunks_drawn} in view");
    if let Some(file) = &options.screenshot
        && let Err(error) = draw_map(file, &terrain, transform.translation, viewer.view_distance)
    {
        eprintln!("error: the map can't be written: {error}");
        exit.write(AppExit::error());
    } else {
        exit.write(AppExit::Success);
    }
}

/// Draws a map of the ground in view, lit from the north-west.
fn draw_map(file: &Path, terrain: &TerrainState, position: Vec3, view: f32) -> Result<(), Box<dyn std::error::Error>> {
    const SIZE: u16 = 1024;
    let (field, settings) = terrain.field().zip(terrain.settings()).ok_or("there is no terrain")?;
    let (look, layers) = (&settings.look, SurfaceLayers::new(&settings.look));
    let metres = 2.0 * view / f32::from(SIZE);
    let light = Vec3::new(-0.5, 0.65, -0.5).normalize();
    let pixel = |column: u16, row: u16| {
        let at = |middle: f32, pixel: u16| f64::from(middle - view + metres * f32::from(pixel));
        let (x, z) = (at(position.x, column), at(position.z, row));
        let (height, normal) = (field.height(x, z).into(), field.normal(x, z, metres.into()));
        let (color, shade) = if look.water && height < look.water_height {
            (look.water_color, 0.8)
        } else {
            let sample = SurfaceSample::new([x, height, z], normal);
            (layers.strongest(&sample).color, light.dot(normal.into()).max(0.0))
        };
        color.map(|part| (part * (0.25 + shade) * 255.0) as u8)
    };
    let pixels: Vec<u8> = (0..SIZE).flat_map(|row| (0..SIZE).flat_map(move |column| pixel(column, row))).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(file)?, SIZE.into(), SIZE.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
