//! The pure planner, without an engine.

use perlin_terrain::chunk::plan::{PlanRequest, PlanViewer, Planner};
use perlin_terrain::chunk::{ChunkCoord, ChunkLayout, LevelErrors, ViewerPoint};
use perlin_terrain::field::HeightField;
use perlin_terrain::noise::NoiseRng;
use perlin_terrain::settings::TerrainSettings;

/// A limit that full detail exceeds.
const MAX_CHUNKS: usize = 150;

const VIEW_DISTANCE: f64 = 4000.0;

#[test]
fn ten_thousand_jumps_over_alps_stay_within_the_limit_of_chunks() {
    let alps = include_str!("../../../../assets/terrain/alps.terrain.ron");
    let settings = TerrainSettings::from_ron(alps).expect("the preset is valid");
    let (field, layout) = (HeightField::new(&settings.field), ChunkLayout::new(&settings.chunks));
    let mut errors = LevelErrors::new();
    errors.measure(&field, &layout, layout.coarsest_level(VIEW_DISTANCE));
    let (mut planner, mut loaded): (_, Vec<ChunkCoord>) = (Planner::default(), Vec::new());
    let mut rng = NoiseRng::new(8, 0);
    let (mut limited, mut max_built_now, mut max_loaded) = (0, 0, 0);
    for jump in 0..10_000 {
        let [x, z] = [0, 1].map(|_| 1e6 * rng.next_unit());
        let point = ViewerPoint {
            position: [x, 700.0, z],
            forward: [1.0, 0.0],
            view_distance: VIEW_DISTANCE,
            projection_scale: 1300.0,
            is_orthographic: false,
        };
        planner.advance(&PlanRequest {
            layout: &layout,
            bounds: field.bounds(),
            errors: &errors,
            pixel_error: settings.lod.pixel_error,
            look_ahead: 0.0,
            viewers: &[PlanViewer { id: 0, point, velocity: [0.0; 3] }],
            max_chunks: MAX_CHUNKS,
            max_built_now: 64,
            seconds: 1.0 / 60.0,
        });
        let build_now = planner.plan().build_now().to_vec();
        // Unwanted chunks are unloaded only as far as the new ones need their memory.
        let mut excess = (loaded.len() + build_now.len()).saturating_sub(MAX_CHUNKS);
        loaded.retain(|&chunk| {
            let is_unloaded = excess > 0 && planner.is_unwanted(chunk);
            if is_unloaded {
                excess -= 1;
                planner.unload(chunk);
            }
            !is_unloaded
        });
        loaded.extend(&build_now);
        build_now.iter().for_each(|&chunk| planner.load(chunk));
        assert!(loaded.len() <= MAX_CHUNKS, "{} chunks after {jump} jumps", loaded.len());
        assert_eq!(loaded.len(), planner.loaded());
        // The drawn chunks are loaded.
        assert!(planner.plan().drawn().leaves().iter().all(|&leaf| planner.is_loaded(leaf)));
        limited += usize::from(planner.plan().is_limited());
        (max_built_now, max_loaded) = (max_built_now.max(build_now.len()), max_loaded.max(loaded.len()));
    }
    // The limit matters: it takes detail after nearly every jump, and memory is full.
    assert!(
        limited > 9000 && max_built_now > 40 && max_loaded == MAX_CHUNKS,
        "{limited}, {max_built_now}, {max_loaded}"
    );
}
