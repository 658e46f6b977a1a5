//! The soak test: a very long random flight.
//!
//! The flight has twenty stages. Before each stage, and at the end, everything is reset: position, settings, viewers and terrain.
//! Once the terrain is settled, the counts must be the same as before the first stage. All stages fly the same random path, so
//! their peak memory is about the same. This matters because the allocator keeps a part of it.

use super::core_time::Measured;
use super::coverage::is_ground_missing;
use super::flight::Flight;
use super::memory;
use super::options::Options;
use super::soak_level::{Level, check};
use bevy::prelude::*;
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;

/// The number of stages.
const STAGES: u64 = 20;

/// The view distance after a reset, in metres.
const VIEW: f32 = 2000.0;

/// The number of frames between two checks for missing ground.
const CHECK_EVERY: u64 = 40;

/// Flies for `frames` frames. Fails if memory or counts grow, if the chunks exceed the memory limit, or if ground was missing in a
/// check.
pub fn fly(options: &Options, frames: u64) -> Result<(), String> {
    let mut flight = Flight::new(options, VIEW, Measured::Terrain);
    flight.settle(Duration::from_millis(1))?;
    let home = flight.state().and_then(TerrainState::settings).ok_or("there are no settings")?.clone();
    let mut soak = Soak {
        rng: NoiseRng::new(options.seed, 0),
        others: Vec::new(),
        position: Vec2::ZERO,
        heading: 0.0,
        speed: 0.0,
        next: 0,
        home,
    };
    println!(
        "| frames | resident | entities | chunks | tasks | settings | built | removed | canceled | without ground |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let (mut levels, mut missing) = (Vec::new(), 0);
    for frame in 0..=frames {
        if frame % (frames / STAGES).max(1) == 0 {
            soak.reset(&mut flight)?;
            let (level, stats) = (Level::of(&mut flight), flight.stats());
            println!(
                "| {frame} | {} | {} | {} | {} | {} | {} | {} | {} | {missing} |",
                memory::megabytes(level.resident),
                level.entities,
                level.chunks,
                level.tasks,
                level.settings,
                stats.chunks_built,
                stats.chunks_removed,
                stats.tasks_canceled,
            );
            levels.push(level);
            (soak.rng, soak.next) = (NoiseRng::new(options.seed, 0), frame);
        }
        soak.steer(&mut flight, frame);
        flight.app.update();
        flight.check_memory()?;
        if frame % CHECK_EVERY == 0 {
            let view = flight.current_view();
            missing += u64::from(is_ground_missing(&mut flight, view));
        }
        std::thread::yield_now();
    }
    if missing > 0 {
        return Err(format!("ground was missing in {missing} frames"));
    }
    check(&levels)
}

/// The state of the random flight.
struct Soak {
    rng: NoiseRng,
    /// The additional viewers.
    others: Vec<Entity>,
    position: Vec2,
    heading: f32,
    speed: f32,
    /// The frame of the next event.
    next: u64,
    /// The settings of the file.
    home: TerrainSettings,
}

impl Soak {
    /// A random number from 0 to `max`.
    fn up_to(&mut self, max: f32) -> f32 {
        self.rng.next_unit() as f32 * max
    }

    /// A random position up to `max` metres from `position`.
    fn position_near(&mut self, position: Vec2, max: f32) -> Vec2 {
        position + Vec2::from_angle(self.up_to(std::f32::consts::TAU)) * self.up_to(max)
    }

    /// Moves the viewer by one frame, and sometimes triggers an event.
    fn steer(&mut self, flight: &mut Flight, frame: u64) {
        if frame >= self.next {
            // Some events interrupt the work for the previous one, others come after it.
            self.next = frame + 20 + (3000.0 * self.up_to(1.0).powi(3)) as u64;
            self.change_something(flight);
        }
        if frame.is_multiple_of(60) {
            self.heading += self.up_to(2.0) - 1.0;
            self.speed = self.up_to(400.0);
        }
        let ahead = Vec2::from_angle(self.heading);
        self.position += ahead * self.speed / 60.0;
        flight.go_to(self.position, 100.0, ahead);
    }

    fn change_something(&mut self, flight: &mut Flight) {
        match self.rng.next_u32() % 12 {
            0..3 => self.position = self.position_near(self.position, 5000.0),
            3 => self.position = self.position_near(Vec2::ZERO, 200_000.0),
            4 => flight.edit(|settings| settings.field.seed += 1),
            5 => {
                let metres = f64::from(self.up_to(50.0));
                flight.edit(|settings| settings.field.base_height = metres);
            }
            6 => {
                let green = self.up_to(1.0);
                flight.edit(|settings| settings.look.layers[0].color[1] = green);
            }
            7 => {
                let quads = [16, 32, 64][self.rng.next_u32() as usize % 3];
                flight.edit(|settings| settings.chunks.quads = quads);
            }
            8 => {
                let pixels = f64::from(1.0 + self.up_to(8.0));
                flight.edit(|settings| settings.lod.pixel_error = pixels);
            }
            9 => {
                let view = 500.0 + self.up_to(4000.0);
                flight.set_view(view);
            }
            10 if self.others.len() < 3 => {
                let position = self.position_near(self.position, 5000.0);
                let viewer = TerrainViewer { view_distance: 300.0 + self.up_to(1500.0) };
                let transform = Transform::from_xyz(position.x, 50.0, position.y);
                self.others.push(flight.app.world_mut().spawn((viewer, transform)).id());
            }
            10 => {
                let other = self.others.remove(0);
                flight.app.world_mut().despawn(other);
            }
            _ => self.respawn_terrain(flight),
        }
    }

    /// Despawns the terrain and spawns a new one, with a new asset of the file's settings.
    fn respawn_terrain(&self, flight: &mut Flight) {
        let world = flight.app.world_mut();
        world.despawn(flight.terrain);
        let settings = world.resource_mut::<Assets<TerrainSettings>>().add(self.home.clone());
        flight.terrain = world.spawn(Terrain(settings)).id();
    }

    /// Resets everything to the initial state, and waits until the terrain is settled.
    fn reset(&mut self, flight: &mut Flight) -> Result<(), String> {
        for other in self.others.drain(..) {
            flight.app.world_mut().despawn(other);
        }
        (self.position, self.heading, self.speed) = (Vec2::ZERO, 0.0, 0.0);
        flight.set_view(VIEW);
        if let Some(mut viewer) = flight.app.world_mut().get_mut::<Transform>(flight.viewer) {
            *viewer = Transform::from_xyz(0.0, 300.0, 0.0);
        }
        self.respawn_terrain(flight);
        flight.settle(Duration::ZERO)
    }
}
