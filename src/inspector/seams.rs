//! Seams: whether the chunks that are shown meet, as long as somebody looks.

use super::TerrainInspector;
use crate::chunk::{Seam, SeamKind, SeamReport};
use crate::stream::{SeamWatch, Terrain};
use bevy::prelude::*;

/// What the last check for seams found, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeamsInfo {
    /// Borders that were looked at.
    pub borders: usize,
    /// Places where two chunks do not meet.
    pub seams: usize,
    /// The first of them, in words.
    pub first: Option<String>,
}

impl From<&SeamReport> for SeamsInfo {
    fn from(report: &SeamReport) -> Self {
        Self { borders: report.borders, seams: report.seams.len(), first: report.seams.first().map(describe) }
    }
}

fn describe(seam: &Seam) -> String {
    let Seam { chunk, neighbor, vertex: [x, z], height, kind } = seam;
    let what = match kind {
        SeamKind::Gap(gap) => format!("a gap of {:.3} m", gap.abs()),
        SeamKind::TJunction => "a T-junction".to_owned(),
        SeamKind::Crease(size) => format!("a crease of {size:.4}"),
        SeamKind::LevelJump => "more than one level apart".to_owned(),
    };
    format!(
        "{what}: chunk {} {} (level {}) and chunk {} {} (level {}) at vertex {x} {z}, {height:.1} m high",
        chunk.x, chunk.z, chunk.level, neighbor.x, neighbor.z, neighbor.level
    )
}

/// Has the terrain that is shown checked for seams while the panel is open. A [`SeamWatch`] that somebody else put there stays.
pub(super) fn watch_shown_terrain(
    mut commands: Commands,
    inspector: Res<TerrainInspector>,
    terrains: Query<Has<SeamWatch>, With<Terrain>>,
    mut watched: Local<Option<Entity>>,
) {
    let shown = inspector.terrain.filter(|_| inspector.open);
    if *watched == shown {
        return;
    }
    if let Some(entity) = watched.take()
        && let Ok(mut entity) = commands.get_entity(entity)
    {
        entity.try_remove::<SeamWatch>();
    }
    if let Some(entity) = shown
        && terrains.get(entity).is_ok_and(|is_watched| !is_watched)
    {
        commands.entity(entity).try_insert(SeamWatch::default());
        *watched = Some(entity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::ChunkCoord;

    #[test]
    fn the_first_seam_is_told_in_words() {
        let seam = |kind| Seam {
            chunk: ChunkCoord::finest(3, -4),
            neighbor: ChunkCoord { level: 1, x: 2, z: -2 },
            vertex: [256, -70],
            height: 12.34,
            kind,
        };
        let seams = vec![seam(SeamKind::Gap(-0.25)), seam(SeamKind::TJunction)];
        let info = SeamsInfo::from(&SeamReport { borders: 7, vertices: 90, seams });
        assert_eq!([info.borders, info.seams], [7, 2]);
        assert_eq!(
            info.first.as_deref(),
            Some("a gap of 0.250 m: chunk 3 -4 (level 0) and chunk 2 -2 (level 1) at vertex 256 -70, 12.3 m high")
        );
        assert_eq!(SeamsInfo::from(&SeamReport::default()), SeamsInfo::default());
    }
}
