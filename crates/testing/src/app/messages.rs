//! Records what the terrain reports to games, as messages and through observers.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// The messages since the last call of [`take_messages`].
#[derive(Default, Debug, PartialEq)]
pub struct TerrainMessages {
    pub hidden: Vec<ChunkHidden>,
    pub ground_hidden: Vec<GroundHidden>,
    pub shown: Vec<ChunkShown>,
    pub ground_shown: Vec<GroundShown>,
    pub levels: Vec<ChunkLevelChanged>,
    pub edited: Vec<GroundEdited>,
    pub ready: Vec<TerrainReady>,
}

/// The events that observers got.
#[derive(Resource, Default)]
struct Observed(TerrainMessages);

/// The messages that a system read.
#[derive(Resource, Default)]
struct Read(TerrainMessages);

/// Starts to record the messages and the events of `app`.
pub fn record_messages(app: &mut App) {
    app.init_resource::<Observed>()
        .add_observer(|event: On<ChunkHidden>, mut observed: ResMut<Observed>| observed.0.hidden.push(*event))
        .add_observer(|event: On<GroundHidden>, mut observed: ResMut<Observed>| observed.0.ground_hidden.push(*event))
        .add_observer(|event: On<ChunkShown>, mut observed: ResMut<Observed>| observed.0.shown.push(*event))
        .add_observer(|event: On<GroundShown>, mut observed: ResMut<Observed>| observed.0.ground_shown.push(*event))
        .add_observer(|event: On<ChunkLevelChanged>, mut observed: ResMut<Observed>| observed.0.levels.push(*event))
        .add_observer(|event: On<GroundEdited>, mut observed: ResMut<Observed>| observed.0.edited.push(*event))
        .add_observer(|event: On<TerrainReady>, mut observed: ResMut<Observed>| observed.0.ready.push(*event))
        .init_resource::<Read>()
        .add_systems(Last, read);
}

fn read(
    mut hidden: MessageReader<ChunkHidden>,
    mut ground_hidden: MessageReader<GroundHidden>,
    mut shown: MessageReader<ChunkShown>,
    mut ground_shown: MessageReader<GroundShown>,
    mut levels: MessageReader<ChunkLevelChanged>,
    (mut edited, mut ready): (MessageReader<GroundEdited>, MessageReader<TerrainReady>),
    mut read: ResMut<Read>,
) {
    read.0.hidden.extend(hidden.read());
    read.0.ground_hidden.extend(ground_hidden.read());
    read.0.shown.extend(shown.read());
    read.0.ground_shown.extend(ground_shown.read());
    read.0.levels.extend(levels.read());
    read.0.edited.extend(edited.read());
    read.0.ready.extend(ready.read());
}

/// Returns what was reported since the last call.
///
/// # Panics
///
/// If observers got other events than the messages.
#[track_caller]
pub fn take_messages(app: &mut App) -> TerrainMessages {
    let observed = std::mem::take(&mut app.world_mut().resource_mut::<Observed>().0);
    let read = std::mem::take(&mut app.world_mut().resource_mut::<Read>().0);
    assert_eq!(observed, read, "observers get the same events as the messages");
    observed
}
