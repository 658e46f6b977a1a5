//! The same settings give the same bits in every release and with any number of threads. `.ci/other-targets` checks the same
//! values on other targets.

use perlin_terrain::chunk::{ChunkBuilder, ChunkGeometry, ChunkLayout};
use perlin_terrain::field::HeightField;

#[test]
fn values_are_stable_across_releases() {
    let differences = values::differences();
    assert!(differences.is_empty(), "{}\n{}", differences.join("\n"), values::REMEDY);
}

/// The hash of the chunks of the tables, built on `threads` threads.
fn hash_of_chunks(threads: usize) -> values::Hash {
    let settings = values::settings(42);
    let (field, layout) = (HeightField::new(&settings.field), ChunkLayout::new(&settings.chunks));
    let chunks = values::positions_of_chunks();
    let build = |first: usize| -> Vec<(usize, ChunkGeometry)> {
        let mut builder = ChunkBuilder::default();
        let mine = (first..chunks.len()).step_by(threads);
        mine.map(|i| (i, builder.build(&field, &layout, chunks[i]))).collect()
    };
    let mut built: Vec<(usize, ChunkGeometry)> = std::thread::scope(|scope| {
        let build = &build;
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || build(first))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    built.sort_by_key(|(index, _)| *index);
    values::hash_of_chunks(&built.into_iter().map(|(_, chunk)| chunk).collect::<Vec<_>>())
}

#[test]
fn chunks_have_the_same_bits_on_any_number_of_threads() {
    let expected = hash_of_chunks(1);
    for threads in [2, 4, 7] {
        assert_eq!(hash_of_chunks(threads), expected, "{threads} threads build other chunks than one");
    }
}
