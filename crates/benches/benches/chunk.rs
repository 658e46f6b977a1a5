//! A chunk of 65 x 65 vertices: its heights, which are drawn, and the arrays of a mesh.

use benches::chunk_work::ChunkWork;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chunk");
    let mut work = ChunkWork::default();
    group.throughput(Throughput::Elements(u64::from(work.vertices()).pow(2)));
    group.bench_function("geometry", |bencher| bencher.iter(|| work.geometry()));
    group.bench_function("heights", |bencher| {
        bencher.iter(|| {
            black_box(work.heights());
        });
    });
    group.finish();
}

criterion_group!(chunk, build);
criterion_main!(chunk);
