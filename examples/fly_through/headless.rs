//! Flies without a window or a GPU.

use crate::assets::asset_plugin;
use crate::flight::{Rails, fly_on_rails, override_settings, spawn_terrain};
use crate::options::Options;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::look::{GroundLayers, GroundPlace};
use bevy_perlin_terrain::prelude::*;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Flies the fixed path, prints statistics, and draws a map of the flight.
pub fn fly(options: Options) -> ExitCode {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, asset_plugin(), TerrainMinimalPlugins))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)))
        .insert_resource(options.clone())
        .add_systems(Startup, spawn_terrain)
        .add_systems(Update, (override_settings, fly_on_rails));
    app.finish();
    app.cleanup();
    app.world_mut().spawn((TerrainViewer { view_distance: options.view_distance() }, Rails::default()));

    let mut milliseconds = Vec::new();
    let mut places = Vec::new();
    let mut most_chunks = 0;
    let frame_time = Duration::from_secs_f64(1.0 / 60.0);
    while milliseconds.len() < options.last_frame().unwrap_or(300) as usize {
        let started = Instant::now();
        app.update();
        // Frames take as long as with a window, so that background tasks have the same time.
        std::thread::sleep(frame_time.saturating_sub(started.elapsed()));
        let mut terrains = app.world_mut().query::<&TerrainState>();
        let waiting = terrains.iter(app.world()).find(|state| state.settings().is_none());
        if let Some(state) = waiting.filter(|state| state.problems().next().is_some()) {
            for problem in state.problems() {
                eprintln!("error: {problem}");
            }
            return ExitCode::FAILURE;
        }
        let stats = *app.world().resource::<TerrainStats>();
        most_chunks = most_chunks.max(stats.chunks_drawn);
        let mut viewers = app.world_mut().query::<(&Transform, &Rails)>();
        for (viewer, _) in viewers.iter(app.world()).filter(|(_, rails)| rails.departed) {
            places.push(viewer.translation.xz());
            milliseconds.push(stats.frame_time.as_secs_f64() * 1000.0);
        }
    }
    let stats = *app.world().resource::<TerrainStats>();
    milliseconds.sort_by(f64::total_cmp);
    let at =
        |part: f64| milliseconds.get((part * (milliseconds.len() as f64 - 1.0)) as usize).copied().unwrap_or_default();
    let length: f32 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    println!("flew {length:.0} m in {} frames over {}", milliseconds.len(), options.settings);
    println!(
        "chunks: {} built, at most {most_chunks} at once, {} removed, {} canceled",
        stats.chunks_built, stats.chunks_removed, stats.tasks_canceled
    );
    println!("main thread per frame: median {:.3} ms, 99 % {:.3} ms, longest {:.3} ms", at(0.5), at(0.99), at(1.0));
    let mut terrains = app.world_mut().query::<&TerrainState>();
    for warning in terrains.iter(app.world()).flat_map(TerrainState::warnings) {
        eprintln!("warning: {warning}");
    }
    let (Some(path), Some(state)) = (&options.screenshot, terrains.iter(app.world()).next()) else {
        return ExitCode::SUCCESS;
    };
    match draw_map(state, &places, &options, path) {
        Ok([width, height]) => {
            println!("map: {}, {width} by {height} pixels", path.display());
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("error: can't write {}: {reason}", path.display());
            ExitCode::FAILURE
        }
    }
}

/// Draws a map of the ground along the flight, lit from the north-west, with the path in red. Returns its width and height.
fn draw_map(
    state: &TerrainState,
    places: &[Vec2],
    options: &Options,
    path: &Path,
) -> Result<[u32; 2], Box<dyn std::error::Error>> {
    let (field, settings) = state.field().zip(state.settings()).ok_or("no terrain is loaded")?;
    let (view, origin) = (options.view_distance(), options.origin);
    let first = places.iter().copied().reduce(Vec2::min).unwrap_or_default() - Vec2::splat(view);
    let last = places.iter().copied().reduce(Vec2::max).unwrap_or_default() + Vec2::splat(view);
    let metres = ((last - first).max_element() / 1024.0).max(1.0);
    let [width, height] = ((last - first) / metres).ceil().as_uvec2().to_array();
    let light = Vec3::new(-0.5, 0.65, -0.5).normalize();
    let look = &settings.look;
    let layers = GroundLayers::new(look);
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    for row in 0..height {
        for column in 0..width {
            let place = first + Vec2::new(column as f32, row as f32) * metres;
            let (x, z) = (origin[0] + f64::from(place.x), origin[1] + f64::from(place.y));
            let up = f64::from(field.height(x, z));
            let normal = Vec3::from_array(field.normal(x, z, f64::from(metres)));
            let shade = normal.dot(light);
            let (color, shade) = if look.water && up < look.water_height {
                (look.water_color, 0.8)
            } else {
                let place = GroundPlace::new([x, up, z], normal.to_array());
                (layers.strongest(&place).color, shade)
            };
            pixels.extend(color.map(|c| ((c * (0.25 + shade.max(0.0))) * 255.0).clamp(0.0, 255.0) as u8));
        }
    }
    for place in places {
        let [column, row] = ((*place - first) / metres).as_uvec2().min(UVec2::new(width - 1, height - 1)).to_array();
        let at = ((row * width + column) * 3) as usize;
        pixels[at..at + 3].copy_from_slice(&[230, 40, 30]);
    }
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(std::fs::File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok([width, height])
}
