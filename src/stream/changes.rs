//! Changes to the world, and the time that they take.

use super::generation::LoadedChunk;
use super::pace::Pace;
use super::removal::despawn_chunks;
use super::select::StreamWork;
use super::showing::{Showing, ShownChunks};
use super::stats::stage_span;
use super::{TerrainChunk, TerrainStandIn, TerrainStats, TerrainSystems};
use bevy::ecs::world::CommandQueue;
use bevy::platform::time::Instant;
use bevy::prelude::*;

/// What the systems of [`TerrainSystems::Apply`] have asked for: chunks that come, are shown, hidden and removed.
///
/// A queue of their own, since only so can be measured what it takes: Bevy runs the commands of all systems together, when it
/// has waited for whatever else is running.
#[derive(Resource, Default)]
pub(super) struct WorldChanges {
    pub queue: CommandQueue,
    /// Chunks that are shown and hidden, after all that is in the queue.
    pub showing: Showing,
    /// Chunks that are removed, after all else: that they are hidden is told before.
    pub going: Vec<LoadedChunk>,
}

impl WorldChanges {
    fn is_empty(&self) -> bool {
        self.going.is_empty() && self.queue.is_empty() && self.showing.len() == 0
    }
}

/// Makes the changes.
pub(super) fn make_changes(world: &mut World, chunks: &mut ShownChunks) {
    let mut changes = std::mem::take(&mut *world.resource_mut::<WorldChanges>());
    if !changes.is_empty() {
        let _span = stage_span(TerrainSystems::Apply);
        let start = Instant::now();
        changes.queue.apply(world);
        world.resource_mut::<Pace>().note_came(start.elapsed());
        let (shown, before) = (changes.showing.len(), start.elapsed());
        changes.showing.apply(world, chunks);
        world.resource_mut::<Pace>().note_shown(shown, start.elapsed() - before);
        let (gone, before) = (changes.going.len(), start.elapsed());
        despawn_chunks(world, changes.going.drain(..));
        world.resource_mut::<Pace>().note_gone(gone, start.elapsed() - before);
        if !world.resource::<StreamWork>().lost_terrains.is_empty() {
            despawn_orphans(world);
        }
        let took = start.elapsed();
        world.resource_mut::<TerrainStats>().count(TerrainSystems::Apply, took);
    }
    // For the next frame, with the memory that it has.
    *world.resource_mut::<WorldChanges>() = changes;
}

/// Makes the changes of `queue` when those of `commands` are made, and counts the time that they take as that of `stage`.
pub(crate) fn count_changes(commands: &mut Commands, stage: TerrainSystems, mut queue: CommandQueue) {
    if !queue.is_empty() {
        commands.queue(move |world: &mut World| {
            let _span = stage_span(stage);
            let start = Instant::now();
            queue.apply(world);
            let took = start.elapsed();
            world.resource_mut::<TerrainStats>().count(stage, took);
        });
    }
}

/// Despawns what was on its way when its terrain went. That may be in this very frame, through a system that ran just before or
/// through an observer of these changes; and its entity may be a terrain again, of which nothing is there yet.
fn despawn_orphans(world: &mut World) {
    let mut chunks = world.query::<(Entity, &TerrainChunk)>();
    let mut stand_ins = world.query::<(Entity, &TerrainStandIn)>();
    let chunks = chunks.iter(world).map(|(entity, chunk)| (entity, chunk.terrain));
    let stand_ins = stand_ins.iter(world).map(|(entity, stand_in)| (entity, stand_in.terrain));
    let lost = &world.resource::<StreamWork>().lost_terrains;
    let is_orphan = |&(_, terrain): &(Entity, Entity)| lost.contains(&terrain);
    let orphans: Vec<Entity> = chunks.chain(stand_ins).filter(is_orphan).map(|(entity, _)| entity).collect();
    for orphan in orphans {
        // Gone already, if it hung on another of them.
        let _ = world.try_despawn(orphan);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TerrainSettings;
    use crate::stream::draw::draw_cover;
    use crate::stream::{Terrain, TerrainState, TerrainStreamPlugin, TerrainViewer};

    fn app_with_terrain() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), TerrainStreamPlugin { threads: false }));
        let settings = app.world_mut().resource_mut::<Assets<TerrainSettings>>().add(TerrainSettings::default());
        let terrain = app.world_mut().spawn(Terrain(settings)).id();
        app.world_mut().spawn(TerrainViewer { view_distance: 60.0 });
        (app, terrain)
    }

    #[test]
    fn nothing_stays_of_a_terrain_that_goes_while_its_chunks_come() {
        let (mut app, terrain) = app_with_terrain();
        let take_away = move |world: &mut World| {
            if !world.resource::<WorldChanges>().queue.is_empty() {
                world.try_despawn(terrain).ok();
            }
        };
        app.add_systems(PostUpdate, take_away.after(draw_cover).before(make_changes));
        for _ in 0..100 {
            app.update();
            let mut parts = app.world_mut().query_filtered::<(), Or<(With<TerrainChunk>, With<TerrainStandIn>)>>();
            assert!(app.world().get_entity(terrain).is_ok() || parts.iter(app.world()).next().is_none());
        }
        assert!(app.world().get_entity(terrain).is_err());
    }

    #[test]
    fn nothing_stays_of_a_terrain_that_ends_and_begins_again_while_its_chunks_come() {
        let (mut app, terrain) = app_with_terrain();
        let mut times = 0;
        let begin_again = move |world: &mut World| {
            if !world.resource::<WorldChanges>().queue.is_empty() && times < 3 {
                times += 1;
                let mut terrain = world.entity_mut(terrain);
                let component = terrain.take::<Terrain>().expect("it is a terrain");
                terrain.insert(component);
            }
        };
        app.add_systems(PostUpdate, begin_again.after(draw_cover).before(make_changes));
        let state = |app: &App| {
            app.world().get::<TerrainState>(terrain).map(|state| (state.is_settled(), state.chunks_wanted()))
        };
        let mut frames = 0;
        let wanted = loop {
            app.update();
            if let Some((true, wanted)) = state(&app)
                && wanted > 0
            {
                break wanted;
            }
            frames += 1;
            assert!(frames < 10_000, "it never settles");
        };
        let mut chunks = app.world_mut().query::<&TerrainChunk>();
        assert_eq!(chunks.iter(app.world()).count(), wanted);
        assert!(app.world_mut().query::<&TerrainStandIn>().iter(app.world()).next().is_none());
    }
}
