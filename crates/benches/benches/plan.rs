//! The plan of a frame for a walking viewer.

use benches::plan_work::{PlanWork, QUADS, VIEW_DISTANCES, grounds};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn advance(criterion: &mut Criterion) {
    let (_, field) = grounds().swap_remove(0);
    for quads in QUADS {
        let mut group = criterion.benchmark_group(format!("plan/{quads}_quads"));
        for view in VIEW_DISTANCES {
            let mut work = PlanWork::new(&field, quads, view);
            group.throughput(Throughput::Elements(work.cost().resident as u64));
            group.bench_function(BenchmarkId::from_parameter(format!("{} km", view / 1e3)), |bencher| {
                bencher.iter(|| work.step());
            });
        }
        group.finish();
    }
}

criterion_group!(plan, advance);
criterion_main!(plan);
