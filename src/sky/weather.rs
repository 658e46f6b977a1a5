//! What the sky of one camera gives the whole world: the wind, and the shade of clouds.

use super::camera::CurrentSky;
use super::dome_look::DomeColors;
use super::mirror::Mirror;
use crate::render::{CloudLook, TerrainClouds, TerrainWind};
use crate::stream::choose;
use bevy::prelude::*;

/// The camera whose sky has the sun, the wind and the clouds of the world: an active one, and the same one for as long as it is active.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MainSky(pub Option<Entity>);

pub(super) fn choose_main_sky(mut main: ResMut<MainSky>, cameras: Query<(Entity, &Camera), With<CurrentSky>>) {
    let chosen = choose(main.0, cameras.iter().map(|(camera, state)| (camera, state.is_active)));
    main.set_if_neq(MainSky(chosen));
}

/// Has the wind of the main sky blow. A game may change it until that of the sky changes.
pub(super) fn update_wind(
    main: Res<MainSky>,
    skies: Query<&CurrentSky>,
    mut wind: ResMut<TerrainWind>,
    mut given: Local<Option<TerrainWind>>,
) {
    let Some(sky) = main.0.and_then(|camera| skies.get(camera).ok()) else { return };
    let own = TerrainWind::from(&sky.settings.wind);
    if *given != Some(own) {
        *given = Some(own);
        wind.set_if_neq(own);
    }
}

/// Has the clouds of the main sky shade terrains.
pub(super) fn update_clouds(
    main: Res<MainSky>,
    skies: Query<(Ref<DomeColors>, Option<Ref<Mirror>>)>,
    mut clouds: ResMut<TerrainClouds>,
) {
    let Some((sky, mirror)) = main.0.and_then(|camera| skies.get(camera).ok()) else {
        if clouds.0.is_some() {
            clouds.0 = None;
        }
        return;
    };
    if sky.is_changed() || main.is_changed() || mirror.as_ref().is_some_and(DetectChanges::is_changed) {
        let mirrored = mirror.map_or(0.0, |mirror| mirror.brightness().into());
        let look = CloudLook { mirrored, ..sky.clouds.clone() };
        clouds.0 = Some(look).filter(|clouds| clouds.settings.cover > 0.0);
    }
}
