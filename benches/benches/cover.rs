//! The selection of the chunks that are drawn and held around a walking viewer, from those of the step before.

use bevy_perlin_terrain_benches::cover_work::{CoverWork, QUADS, VIEW_DISTANCES, grounds};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn select(criterion: &mut Criterion) {
    let (_, field) = grounds().swap_remove(0);
    for quads in QUADS {
        let mut group = criterion.benchmark_group(format!("cover/{quads}_quads"));
        for view in VIEW_DISTANCES {
            let mut work = CoverWork::new(&field, quads, view);
            group.throughput(Throughput::Elements(work.cost().resident as u64));
            group.bench_function(BenchmarkId::from_parameter(format!("{} km", view / 1e3)), |bencher| {
                bencher.iter(|| work.step());
            });
        }
        group.finish();
    }
}

criterion_group!(cover, select);
criterion_main!(cover);
