//! Long flights: the ground is whole in every frame, and no vertex is seen to move.

mod common;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::{
    ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, CoordMap, Cover, LodSettings, Morph, Viewer,
};
use bevy_perlin_terrain::noise::TerrainRng;
use bevy_perlin_terrain::prelude::*;
use bevy_perlin_terrain::stream::StreamSettings;
use common::*;
use std::time::Duration;

/// Ten minutes at 30 frames a second.
const FRAMES: u32 = 10 * 60 * 30;

fn pace(app: &mut App, frame: Duration) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
}

/// Asserts that the chunks that are part of the world tile the ground once, and that neighbours differ by one level at most.
#[track_caller]
fn assert_tiled(app: &mut App, terrain: Entity) {
    let shown = shown(app, terrain);
    let cover = state(app, terrain).cover();
    assert_eq!(shown.len(), cover.leaves().len());
    let area = |chunks: &[ChunkCoord]| chunks.iter().map(|chunk| 4_u64.pow(chunk.level.into())).sum::<u64>();
    assert_eq!(area(cover.leaves()), area(cover.roots()));
    for &leaf in shown.keys() {
        assert!(cover.is_leaf(leaf));
        for (dx, dz) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let mut above = leaf.neighbour(dx, dz).parent();
            while above.level < cover.top() {
                above = above.parent();
                assert!(!shown.contains_key(&above), "{leaf:?} touches {above:?}");
            }
        }
    }
}

#[test]
fn ten_minutes_of_turns_teleports_and_reloads_without_a_hole_or_a_seam() {
    let mut app = headless_app();
    pace(&mut app, Duration::from_secs(1) / 30);
    let mut settings = small_settings();
    settings.lod = LodSettings { pixel_error: 4.0, ..Default::default() };
    settings.stream = StreamSettings { chunks_per_frame: 8, keep_margin: 50.0, ..settings.stream };
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, 900.0);
    let mut rng = TerrainRng::new(1, 0);
    let (mut place, mut heading, mut speed) = (Vec2::ZERO, 0.0_f32, 60.0_f32);
    let (mut second_viewer, mut walked, mut levels) = (None, 0, 0);
    for frame in 0..FRAMES {
        if frame % 45 == 0 {
            heading += (rng.next_unit() as f32 - 0.5) * 2.0;
            speed = 300.0 * rng.next_unit() as f32;
        }
        match frame % 1200 {
            300 => place = Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1e5,
            500 => edit(&mut app, terrain, |settings| settings.field.seed += 1),
            700 => edit(&mut app, terrain, |settings| settings.lod.pixel_error = 1.0 + 8.0 * rng.next_unit()),
            800 => second_viewer = Some(add_viewer(&mut app, place.x + 700.0, place.y, 400.0)),
            900 => {
                let other = if settings_of(&app, terrain).chunks.quads == 8 { 16 } else { 8 };
                edit(&mut app, terrain, |settings| settings.chunks.quads = other);
            }
            1000 => {
                app.world_mut().despawn(second_viewer.take().expect("it is there"));
            }
            1100 => {
                let mut viewer = app.world_mut().get_mut::<TerrainViewer>(viewer).expect("a viewer");
                viewer.view_distance = 300.0 + 900.0 * rng.next_unit() as f32;
            }
            _ => {}
        }
        place += Vec2::from_angle(heading) * speed / 30.0;
        move_to(&mut app, viewer, place.x, place.y);
        app.update();
        assert_tiled(&mut app, terrain);
        if frame % 12 == 0 {
            walked += assert_seamless(&mut app, terrain).borders;
            levels = levels.max(state(&app, terrain).cover().leaves().iter().map(|leaf| leaf.level).max().unwrap_or(0));
        }
    }
    assert!(walked > 100_000, "only {walked} borders were walked");
    assert!(levels >= 4, "there were no more than {levels} levels");
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

fn settings_of(app: &App, terrain: Entity) -> TerrainSettings {
    state(app, terrain).settings().expect("settings are in use").clone()
}

/// What was drawn in a frame.
struct Frame {
    cover: Cover,
    viewers: Vec<Viewer>,
}

impl Frame {
    fn of(state: &TerrainState) -> Self {
        Self { cover: state.cover().clone(), viewers: state.viewers().to_vec() }
    }

    /// The height of the surface at a place of the world grid, in metres, as drawn with `morph`.
    fn height(&self, surfaces: &mut Surfaces, morph: &Morph, [x, z]: [i64; 2]) -> Option<f32> {
        let quads = i64::from(surfaces.layout.quads());
        let leaf = (0..=self.cover.top())
            .map(|level| ChunkCoord { level, x: x.div_euclid(quads << level), z: z.div_euclid(quads << level) })
            .find(|&chunk| self.cover.is_leaf(chunk))?;
        let grid = surfaces.layout.grid(leaf, 0);
        let geometry = surfaces.of(leaf);
        let vertex = |column: i64, row: i64| {
            let at = (row * (quads + 1) + column) as usize;
            let [px, pz] = grid.position(column as usize, row as usize);
            let factor = morph.factor(leaf.level, [px as f32, pz as f32]);
            f64::from(Morph::between(geometry.positions[at][1], geometry.coarse_heights[at], factor))
        };
        // The quad, and the place in it. The last column and row belong to the quads before them.
        let [(column, u), (row, v)] = [x - grid.origin[0], z - grid.origin[1]].map(|offset| {
            let quad = (offset / grid.stride).min(quads - 1);
            (quad, (offset - quad * grid.stride) as f64 / grid.stride as f64)
        });
        let (north_east, south_west) = (vertex(column + 1, row), vertex(column, row + 1));
        let height = if u + v <= 1.0 {
            let north_west = vertex(column, row);
            north_west + u * (north_east - north_west) + v * (south_west - north_west)
        } else {
            let south_east = vertex(column + 1, row + 1);
            south_east + (1.0 - u) * (south_west - south_east) + (1.0 - v) * (north_east - south_east)
        };
        Some(height as f32)
    }
}

/// The surfaces of chunks, each built once.
struct Surfaces {
    field: std::sync::Arc<HeightField>,
    layout: ChunkLayout,
    builder: ChunkBuilder,
    built: CoordMap<ChunkGeometry>,
}

impl Surfaces {
    fn of(&mut self, chunk: ChunkCoord) -> &ChunkGeometry {
        let Self { field, layout, builder, built } = self;
        built.entry(chunk).or_insert_with(|| builder.build(field, layout, chunk))
    }
}

/// What a flight showed.
#[derive(Debug, Default)]
struct Pops {
    /// The largest movement of any vertex on the screen from one frame to the next, in pixels, that is not the camera's.
    with_morph: f32,
    /// The same, had the vertices not moved before a change of levels.
    without_morph: f32,
    /// Chunks that came in place of coarser or finer ones.
    switches: usize,
}

/// Flies over mountains, on a machine that keeps up with it.
fn fly(pixel_error: f64, metres_per_second: f32) -> Pops {
    let mut app = headless_app();
    let mountains = include_str!("../assets/terrain/alps.terrain.ron");
    let mut settings = TerrainSettings::from_ron(mountains).expect("the file is good");
    settings.lod = LodSettings { pixel_error, ..Default::default() };
    let terrain = add_terrain(&mut app, settings);
    let viewer =
        app.world_mut().spawn((TerrainViewer { view_distance: 3000.0 }, Transform::from_xyz(0.0, 120.0, 0.0))).id();
    settle(&mut app, terrain);
    let (field, layout) = (state(&app, terrain).field().cloned(), state(&app, terrain).layout().copied());
    let (field, layout) = (field.expect("there is ground"), layout.expect("there is ground"));
    let mut surfaces = Surfaces { field, layout, builder: ChunkBuilder::default(), built: CoordMap::default() };
    let mut before = Frame::of(state(&app, terrain));
    let mut pops = Pops::default();
    let mut rng = TerrainRng::new(7, 0);
    for frame in 0..600_u16 {
        let along = metres_per_second * f32::from(frame) / 60.0;
        let place = Vec2::new(along, 300.0 * (along / 400.0).sin());
        let up = surfaces.field.height(place.x.into(), place.y.into()) + 40.0;
        let mut transform = app.world_mut().get_mut::<Transform>(viewer).expect("a viewer");
        transform.translation = Vec3::new(place.x, up, place.y);
        pace(&mut app, Duration::from_secs(1) / 60);
        app.update();
        let now = Frame::of(state(&app, terrain));
        pops.switches += now.cover.leaves().iter().filter(|&&leaf| !before.cover.is_leaf(leaf)).count();
        let morphs = [&before, &now].map(|frame| Morph::new(&frame.viewers, [0.0; 2]));
        for &leaf in now.cover.leaves() {
            let grid = layout.grid(leaf, 0);
            for _ in 0..6 {
                let [column, row] = [0, 1].map(|_| i64::from(rng.next_u32() % layout.vertices()));
                let vertex = [grid.origin[0] + column * grid.stride, grid.origin[1] + row * grid.stride];
                let [x, z] = vertex.map(|index| (index as f64 * layout.spacing(0)) as f32);
                let mut pixels = |morphs: [&Morph; 2]| {
                    let then = before.height(&mut surfaces, morphs[0], vertex)?;
                    let here = now.height(&mut surfaces, morphs[1], vertex)?;
                    let distance = Vec3::new(x, here, z).distance(Vec3::new(place.x, up, place.y));
                    Some((here - then).abs() * now.viewers[0].point.sharpness as f32 / distance)
                };
                pops.with_morph = pops.with_morph.max(pixels([&morphs[0], &morphs[1]]).unwrap_or_default());
                pops.without_morph = pops.without_morph.max(pixels([&Morph::STILL; 2]).unwrap_or_default());
            }
        }
        before = now;
        // The clock stands still while the machine catches up.
        pace(&mut app, Duration::ZERO);
        pump_until(&mut app, "the tasks are done", |app| stats(app).tasks_in_flight == 0);
    }
    pops
}

#[test]
fn no_vertex_is_seen_to_move_when_levels_change() {
    for (pixel_error, metres_per_second) in [(1.5, 200.0), (4.0, 100.0)] {
        let pops = fly(pixel_error, metres_per_second);
        println!("{pixel_error} pixels allowed, {metres_per_second} m/s: {pops:?}");
        assert!(pops.switches > 30, "which tests nothing: {pops:?}");
        assert!(pops.with_morph < 1.0, "{pops:?}");
        assert!(pops.without_morph > 3.0 * pops.with_morph, "the morph does nothing: {pops:?}");
    }
}
