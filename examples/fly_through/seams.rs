//! Seams, drawn where they are found. There are none.

use crate::overlay::Show;
use bevy::prelude::*;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::SeamWatch;

/// Has every terrain checked while seams are shown.
pub fn watch(mut commands: Commands, show: Res<Show>, terrains: Query<Entity, (With<Terrain>, Without<SeamWatch>)>) {
    if show.seams {
        for terrain in &terrains {
            commands.entity(terrain).insert(SeamWatch::default());
        }
    }
}

/// A mark at every vertex where two chunks do not meet.
pub fn draw(mut gizmos: Gizmos, terrains: Query<(&SeamWatch, &TerrainState, &GlobalTransform)>) {
    for (watch, state, transform) in &terrains {
        let (Some(report), Some(layout)) = (&watch.report, state.layout()) else {
            continue;
        };
        for seam in &report.seams {
            let [x, z] = seam.vertex.map(|index| (index as f64 * layout.spacing(0)) as f32);
            let place = transform.transform_point(Vec3::new(x, seam.height, z));
            gizmos.sphere(place, layout.spacing(seam.chunk.level) as f32 * 0.3, Color::srgb(1.0, 0.1, 0.1));
        }
    }
}

/// What was found, in words.
pub fn summary(watch: &SeamWatch) -> String {
    match &watch.report {
        Some(report) => format!("{} seams along {} borders", report.seams.len(), report.borders),
        None => "looking for seams".to_owned(),
    }
}
