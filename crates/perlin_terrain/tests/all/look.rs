//! The cover of the ground changes gradually from place to place.

use perlin_terrain::look::{LookSettings, SurfaceLayers};
use proptest::collection::vec;
use testing::{for_all, surface_layer_of, surface_sample_of};

#[test]
fn weights_add_up_to_one_and_do_not_jump() {
    for_all(200, (vec(0.0..1.0, 240), vec(0.0..1.0, 9), vec(0.0..1.0, 9)), |(layers, from, to)| {
        let layers = layers.chunks(40).map(surface_layer_of).collect();
        let layers = SurfaceLayers::new(&LookSettings { layers, ..LookSettings::default() });
        let mut before: Option<[f32; 8]> = None;
        for i in 0..=4000 {
            let part = f64::from(i) / 4000.0;
            let between: Vec<f64> = from.iter().zip(&to).map(|(from, to)| from + (to - from) * part).collect();
            let weights = layers.weights(&surface_sample_of(&between));
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
            if let Some(before) = before {
                let jump = (0..8).map(|i| (weights[i] - before[i]).abs()).fold(0.0, f32::max);
                assert!(jump < 0.05, "{jump} at {between:?}");
            }
            before = Some(weights);
        }
    });
}
