//! Everyone fills the same squares, and ours point by point too. `-- 8_octaves/257` picks a group, `-- noiz` a contender,
//! `-- points` single points.

use benches::contenders;
use benches::ours::{Ours, fill_by_points, fill_by_positions, positions};
use benches::work::{OCTAVES, SIDES};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

fn fill(criterion: &mut Criterion) {
    for octaves in OCTAVES {
        for side in SIDES {
            let mut group = criterion.benchmark_group(format!("{octaves}_octaves/{side}"));
            group.throughput(Throughput::Elements((side * side) as u64));
            let mut out = vec![0.0; side * side];
            for mut contender in contenders(octaves) {
                let name = contender.name().replace('*', "");
                group.bench_function(name, |bencher| bencher.iter(|| contender.fill(side, black_box(&mut out))));
            }
            group.finish();
        }
    }
}

fn points(criterion: &mut Criterion) {
    for octaves in OCTAVES {
        let side = SIDES[0];
        let mut group = criterion.benchmark_group(format!("{octaves}_octaves/points"));
        group.throughput(Throughput::Elements((side * side) as u64));
        let (ours, mut out) = (Ours::new(octaves), vec![0.0; side * side]);
        group.bench_function("this crate", |bencher| {
            bencher.iter(|| fill_by_points(ours.noise(), side, black_box(&mut out)));
        });
        let positions = positions(side);
        group.bench_function("this crate, all at once", |bencher| {
            bencher.iter(|| fill_by_positions(&ours, &positions, black_box(&mut out)));
        });
        group.finish();
    }
}

criterion_group! {
    name = noise;
    // Short, for there are dozens: two minutes in all.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(15);
    targets = fill, points
}
criterion_main!(noise);
