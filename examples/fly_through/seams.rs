//! Checks the terrain for seams and draws those that it finds. There should be none.

use crate::overlay::Show;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::{SeamWatch, TerrainPlace};

/// Marks a terrain whose [`SeamWatch`] this module added. The inspector adds its own.
#[derive(Component)]
pub struct WatchedHere;

/// Checks every terrain, but only while seams are visible: a check costs as much as rebuilding all chunks.
pub fn watch(
    mut commands: Commands,
    show: Res<Show>,
    unwatched: Query<Entity, (With<Terrain>, Without<SeamWatch>)>,
    watched: Query<Entity, With<WatchedHere>>,
) {
    if show.seams {
        for terrain in &unwatched {
            commands.entity(terrain).insert((SeamWatch::default(), WatchedHere));
        }
    } else {
        for terrain in &watched {
            commands.entity(terrain).remove::<(SeamWatch, WatchedHere)>();
        }
    }
}

/// Draws a mark at every seam.
pub fn draw(mut gizmos: Gizmos, terrains: Query<(&SeamWatch, &TerrainState, TerrainPlace)>) {
    for (watch, state, place) in &terrains {
        let (Some(report), Some(layout)) = (&watch.report, state.layout()) else {
            continue;
        };
        for seam in &report.seams {
            let [x, z] = seam.vertex.map(|index| index as f64 * layout.spacing(0));
            let mark = place.frame().to_world(DVec3::new(x, seam.height.into(), z));
            gizmos.sphere(mark, layout.spacing(seam.chunk.level) as f32 * 0.3, Color::srgb(1.0, 0.1, 0.1));
        }
    }
}

/// The result of the check as text.
pub fn summary(watch: &SeamWatch) -> String {
    match &watch.report {
        Some(report) => format!("{} seams along {} borders", report.seams.len(), report.borders),
        None => "checking for seams".to_owned(),
    }
}
