//! An app with a terrain and a viewer whose position is set in every frame.

use super::core_time::{CoreTime, Measured};
use super::options::Options;
use crate::app::{asset_path, asset_plugin, start, update_until, windowless};
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::WgpuSettings;
use bevy_perlin_terrain::field::TerrainEdit;
use bevy_perlin_terrain::light::{SkySettings, Sun, SunTime};
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::sky::TerrainSky;
use std::time::Duration;

/// An app with a terrain and a viewer.
pub struct Flight {
    pub app: App,
    pub terrain: Entity,
    pub viewer: Entity,
    /// Other viewers, or bodies.
    pub others: Vec<Entity>,
    /// The view distance, in metres.
    pub view: f32,
    /// The position of the terrain at the world origin: x and z in metres.
    pub origin: Vec2,
}

impl Flight {
    /// Creates an app without a window and a GPU. Nothing is loaded yet.
    pub fn new(options: &Options, view_distance: f32, measured: Measured) -> Self {
        let mut app = App::new();
        if options.meshes {
            // Without a backend there is no render world, but the main world does everything that it does in a game.
            let render_creation = WgpuSettings { backends: None, ..default() }.into();
            let plugins = windowless(RenderPlugin { render_creation, ..default() });
            app.add_plugins((plugins.disable::<LogPlugin>(), TerrainPlugins));
        } else {
            app.add_plugins((MinimalPlugins, TransformPlugin, asset_plugin(), TerrainMinimalPlugins));
        }
        // Run the terrain's systems on the main thread, because its time is measured. Other threads share cores with the terrain's
        // tasks.
        app.edit_schedule(PostUpdate, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        CoreTime::add_to(&mut app, measured);
        start(&mut app);
        if let Some(limit) = options.memory_limit {
            app.world_mut().resource_mut::<TerrainBudget>().memory_limit = limit;
        }
        let settings = app.world().resource::<AssetServer>().load(asset_path(&options.settings));
        let terrain = app.world_mut().spawn(Terrain(settings)).id();
        let viewer = app.world_mut().spawn(TerrainViewer { view_distance }).id();
        if options.meshes {
            let lens = PerspectiveProjection { far: view_distance * 1.1, ..default() };
            app.world_mut().entity_mut(viewer).insert((Camera3d::default(), Projection::Perspective(lens)));
        }
        Self { app, terrain, viewer, others: Vec::new(), view: view_distance, origin: Vec2::ZERO }
    }

    /// The state of the terrain.
    pub fn state(&self) -> Option<&TerrainState> {
        self.app.world().get::<TerrainState>(self.terrain)
    }

    /// The statistics of this frame.
    pub fn stats(&self) -> TerrainStats {
        *self.app.world().resource::<TerrainStats>()
    }

    /// Returns an error if all chunks together take more memory than the limit.
    pub fn check_memory(&self) -> Result<(), String> {
        let limit = self.app.world().resource::<TerrainBudget>().memory_limit;
        let megabytes = self.stats().bytes_loaded as f64 / 1e6;
        if megabytes <= limit {
            return Ok(());
        }
        Err(format!("the chunks take {megabytes:.1} MB, more than the limit of {limit} MB"))
    }

    /// Whether all wanted chunks are drawn.
    pub fn is_settled(&self) -> bool {
        self.state().is_some_and(TerrainState::is_settled)
    }

    /// The current view distance, in metres. It is smaller than that of the viewer while chunks are missing.
    pub fn current_view(&self) -> f32 {
        let viewer = self.state().and_then(TerrainState::plan).and_then(|plan| plan.viewer(self.viewer.to_bits()));
        viewer.map_or(-1.0, |viewer| viewer.current.point.view_distance as f32)
    }

    /// Moves the viewer to `height` metres above the ground at `position`, looking toward `ahead`.
    pub fn go_to(&mut self, position: Vec2, height: f32, ahead: Vec2) {
        let ground = self.state().and_then(TerrainState::field);
        let ground = ground.map_or(0.0, |field| field.height(position.x.into(), position.y.into()));
        let Vec2 { x, y: z } = position - self.origin;
        let transform =
            Transform::from_xyz(x, ground + height, z).looking_to(Vec3::new(ahead.x, -0.1, ahead.y), Vec3::Y);
        if let Some(mut viewer) = self.app.world_mut().get_mut::<Transform>(self.viewer) {
            *viewer = transform;
        }
    }

    /// Adds another viewer with a view distance of `view` metres.
    pub fn add_viewer(&mut self, position: Vec2, view: f32) {
        let viewer = self.app.world_mut().spawn(TerrainViewer { view_distance: view }).id();
        self.others.push(viewer);
        self.go_to_other(self.others.len() - 1, position);
    }

    /// Adds a body that keeps ground.
    pub fn add_body(&mut self) {
        self.others.push(self.app.world_mut().spawn(KeepGround::default()).id());
    }

    /// Gives the viewer a sky.
    pub fn add_sky(&mut self) {
        let sky = self.app.world_mut().resource_mut::<Assets<SkySettings>>().add(SkySettings::default());
        self.app.world_mut().entity_mut(self.viewer).insert(TerrainSky(sky));
    }

    /// Sets the hour of the sky.
    pub fn set_hour(&mut self, hour: f64) {
        let mut skies = self.app.world_mut().resource_mut::<Assets<SkySettings>>();
        for (_, sky) in skies.iter_mut() {
            sky.sun = Sun::Time(SunTime { hour, ..default() });
        }
    }

    /// Moves one of the other viewers, or a body, to `position`, at a height of 300 m.
    pub fn go_to_other(&mut self, number: usize, position: Vec2) {
        let Vec2 { x, y: z } = position - self.origin;
        self.app.world_mut().entity_mut(self.others[number]).insert(Transform::from_xyz(x, 300.0, z));
    }

    /// Shifts the world origin to the position `to` of the terrain.
    pub fn shift_origin(&mut self, to: Vec2) {
        self.origin = to;
        let origin = TerrainOrigin::new(to.x.into(), to.y.into());
        self.app.world_mut().entity_mut(self.terrain).insert(origin);
    }

    /// Sets the view distance of the viewer, in metres.
    pub fn set_view(&mut self, view: f32) {
        self.view = view;
        if let Some(mut viewer) = self.app.world_mut().get_mut::<TerrainViewer>(self.viewer) {
            viewer.view_distance = view;
        }
    }

    /// Changes the settings asset, as game code does.
    pub fn edit(&mut self, change: impl FnOnce(&mut TerrainSettings)) {
        let world = self.app.world_mut();
        let Some(Terrain(settings)) = world.get::<Terrain>(self.terrain).cloned() else {
            return;
        };
        if let Some(mut settings) = world.resource_mut::<Assets<TerrainSettings>>().get_mut(&settings) {
            change(&mut settings);
        }
    }

    /// Adds or replaces an edit of the ground, as a game does.
    pub fn set_edit(&mut self, id: u64, edit: TerrainEdit) {
        if let Some(mut edits) = self.app.world_mut().get_mut::<TerrainEdits>(self.terrain) {
            edits.set(id, edit).expect("the edit is allowed");
        }
    }

    /// Runs frames until the terrain is settled. Sleeps for `pause` after each frame.
    pub fn settle(&mut self, pause: Duration) -> Result<(), String> {
        let terrain = self.terrain;
        update_until(&mut self.app, pause, |app| {
            app.world().get::<TerrainState>(terrain).is_some_and(TerrainState::is_settled)
        })
    }
}
