//! What the tests share: an app without a window and with a manual clock, small settings, and a bounded number of frames.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::time::TimeUpdateStrategy;
use std::time::Duration;

/// Ticks of physics in a second. Each frame has one tick.
pub const HZ: u32 = 60;

/// An app with physics.
pub fn physics_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), PhysicsPlugins::default()))
        .insert_resource(Time::<Fixed>::from_hz(HZ.into()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / HZ));
    app
}

/// Finishes the plugins of an app and runs its first frame, which has no tick.
pub fn start(app: &mut App) {
    while app.plugins_state() == bevy::app::PluginsState::Adding {
        AsyncComputeTaskPool::get().with_local_executor(|_| ());
    }
    app.finish();
    app.cleanup();
    app.update();
}

/// Runs so many seconds.
pub fn run(app: &mut App, seconds: f32) {
    for _ in 0..(seconds * HZ as f32) as u32 {
        app.update();
    }
}
