//! What games are told of the ground: what observers hear, which is what messages say.

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;

/// What was told in a frame.
#[derive(Default, Debug, PartialEq)]
pub struct Told {
    pub hidden: Vec<ChunkHidden>,
    pub ground_hidden: Vec<GroundHidden>,
    pub shown: Vec<ChunkShown>,
    pub ground_shown: Vec<GroundShown>,
    pub levels: Vec<ChunkLevelChanged>,
    pub ready: Vec<TerrainReady>,
}

/// What observers heard.
#[derive(Resource, Default)]
struct Heard(Told);

/// What was read in messages.
#[derive(Resource, Default)]
struct Read(Told);

pub fn listen(app: &mut App) {
    app.init_resource::<Heard>()
        .add_observer(|event: On<ChunkHidden>, mut heard: ResMut<Heard>| heard.0.hidden.push(*event))
        .add_observer(|event: On<GroundHidden>, mut heard: ResMut<Heard>| heard.0.ground_hidden.push(*event))
        .add_observer(|event: On<ChunkShown>, mut heard: ResMut<Heard>| heard.0.shown.push(*event))
        .add_observer(|event: On<GroundShown>, mut heard: ResMut<Heard>| heard.0.ground_shown.push(*event))
        .add_observer(|event: On<ChunkLevelChanged>, mut heard: ResMut<Heard>| heard.0.levels.push(*event))
        .add_observer(|event: On<TerrainReady>, mut heard: ResMut<Heard>| heard.0.ready.push(*event))
        .init_resource::<Read>()
        .add_systems(Last, read);
}

fn read(
    mut hidden: MessageReader<ChunkHidden>,
    mut ground_hidden: MessageReader<GroundHidden>,
    mut shown: MessageReader<ChunkShown>,
    mut ground_shown: MessageReader<GroundShown>,
    mut levels: MessageReader<ChunkLevelChanged>,
    mut ready: MessageReader<TerrainReady>,
    mut read: ResMut<Read>,
) {
    read.0.hidden.extend(hidden.read());
    read.0.ground_hidden.extend(ground_hidden.read());
    read.0.shown.extend(shown.read());
    read.0.ground_shown.extend(ground_shown.read());
    read.0.levels.extend(levels.read());
    read.0.ready.extend(ready.read());
}

/// What was told since the last time.
#[track_caller]
pub fn told(app: &mut App) -> Told {
    let heard = std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0);
    let read = std::mem::take(&mut app.world_mut().resource_mut::<Read>().0);
    assert_eq!(heard, read, "observers hear what messages say");
    heard
}
