//! A summary of a seam check, for the panel.

use crate::chunk::{Seam, SeamReport};

/// A summary of the last seam check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeamsInfo {
    /// The number of checked borders.
    pub borders: usize,
    /// The number of seams.
    pub seams: usize,
    /// A description of the first seam.
    pub first: Option<String>,
}

impl From<&SeamReport> for SeamsInfo {
    fn from(report: &SeamReport) -> Self {
        Self { borders: report.borders, seams: report.seams.len(), first: report.seams.first().map(describe) }
    }
}

fn describe(seam: &Seam) -> String {
    let Seam { chunk, neighbor, vertex: [x, z], height, kind } = seam;
    format!(
        "{kind}: chunk {} {} (level {}) and chunk {} {} (level {}) at vertex {x} {z}, {height:.1} m high",
        chunk.x, chunk.z, chunk.level, neighbor.x, neighbor.z, neighbor.level
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{ChunkCoord, SeamKind};

    #[test]
    fn the_first_seam_is_described() {
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
