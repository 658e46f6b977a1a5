//! Long flights: no frame has a hole, and no vertex moves visibly.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_perlin_terrain::chunk::plan::GROWTH;
use bevy_perlin_terrain::chunk::{
    ChunkBuilder, ChunkCoord, ChunkGeometry, ChunkLayout, CoordMap, LodQuadtree, LodRanges, LodSettings, Morph,
    StreamSettings, Viewer, quad_height,
};
use bevy_perlin_terrain::noise::NoiseRng;
use bevy_perlin_terrain::prelude::*;
use std::time::Duration;
use testing::app::*;

/// Eighty seconds at 30 frames a second.
const FRAMES: u32 = 80 * 30;

/// Sets the length of a frame.
fn set_frame_time(app: &mut App, frame: Duration) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
}

#[test]
fn turns_teleports_and_reloads_leave_no_hole_and_no_seam() {
    // Without threads, so that the chunks of a frame do not depend on the load of the machine.
    let mut app = app_without_threads();
    set_frame_time(&mut app, Duration::from_secs(1) / 30);
    let mut settings = small_settings();
    settings.lod = LodSettings { pixel_error: 4.0, ..Default::default() };
    set_budget(&mut app, |budget| budget.chunks_per_frame = 8);
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, 900.0);
    let mut rng = NoiseRng::new(1, 0);
    let (mut position, mut heading, mut speed) = (Vec2::ZERO, 0.0_f32, 60.0_f32);
    let (mut second_viewer, mut borders, mut with_three_levels) = (None, 0, 0);
    for frame in 0..FRAMES {
        if frame % 45 == 0 {
            heading += (rng.next_unit() as f32 - 0.5) * 2.0;
            speed = 300.0 * rng.next_unit() as f32;
        }
        match frame % 1200 {
            300 => position = Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1e5,
            500 => edit(&mut app, terrain, |settings| settings.field.seed += 1),
            700 => edit(&mut app, terrain, |settings| settings.lod.pixel_error = 1.0 + 8.0 * rng.next_unit()),
            800 => second_viewer = Some(add_viewer(&mut app, position.x + 700.0, position.y, 400.0)),
            900 => {
                let other = if settings_of(&app, terrain).chunks.quads == 8 { 16 } else { 8 };
                edit(&mut app, terrain, |settings| settings.chunks.quads = other);
            }
            1000 => {
                app.world_mut().despawn(second_viewer.take().expect("there is a second viewer"));
            }
            1100 => set_view_distance(&mut app, viewer, 300.0 + 900.0 * rng.next_unit() as f32),
            _ => {}
        }
        position += Vec2::from_angle(heading) * speed / 30.0;
        move_to(&mut app, viewer, position.x, position.y);
        app.update();
        assert_tiled(&mut app, terrain);
        if frame % 12 == 0 {
            borders += assert_seamless(&mut app, terrain).borders;
            let levels = state(&app, terrain).quadtree().map(LodQuadtree::leaves_per_level).unwrap_or_default();
            with_three_levels += usize::from(levels.iter().filter(|&&chunks| chunks > 0).count() >= 3);
        }
    }
    assert!(borders > 10_000, "only {borders} borders were checked");
    println!("{borders} borders; {with_three_levels} of {} checks saw three levels or more", FRAMES.div_ceil(12));
    assert!(with_three_levels > 60, "only {with_three_levels} checks saw three levels or more");
    settle(&mut app, terrain);
    assert_nothing_left(&mut app);
}

#[test]
fn terrains_that_share_a_budget_have_no_hole_in_any_frame() {
    let mut app = app_without_threads();
    set_frame_time(&mut app, Duration::from_secs(1) / 30);
    set_budget(&mut app, |budget| budget.chunks_per_frame = 8);
    let settings = |seed: u64| {
        let mut settings = settings_with_levels(4.0);
        settings.field.seed = seed;
        settings
    };
    let mut terrains: Vec<Entity> = (0..3).map(|seed| add_terrain(&mut app, settings(seed))).collect();
    let rotated = Transform::from_xyz(900.0, 40.0, -200.0).with_rotation(Quat::from_rotation_y(0.7));
    app.world_mut().entity_mut(terrains[1]).insert(rotated);
    let (viewer, mut second_viewer) = (add_viewer(&mut app, 0.0, 0.0, 700.0), None);
    let mut rng = NoiseRng::new(2, 0);
    let (mut position, mut borders) = (Vec2::ZERO, 0);
    for frame in 0..600_u64 {
        let number = (frame / 300 % 3) as usize;
        match frame % 300 {
            50 => position = Vec2::new(rng.next_unit() as f32, rng.next_unit() as f32) * 1e5,
            100 => edit(&mut app, terrains[number], |settings| settings.field.seed += 10),
            150 => second_viewer = Some(add_viewer(&mut app, position.x - 500.0, position.y, 400.0)),
            170 => position += Vec2::splat(400.0),
            200 => {
                app.world_mut().despawn(terrains.remove(number));
            }
            202 => terrains.push(add_terrain(&mut app, settings(frame))),
            250 => {
                app.world_mut().despawn(second_viewer.take().expect("there is a second viewer"));
            }
            _ => {}
        }
        position += Vec2::new(4.0, 1.5);
        move_to(&mut app, viewer, position.x, position.y);
        app.update();
        for &terrain in &terrains {
            assert_tiled(&mut app, terrain);
            if frame % 12 == 0 {
                borders += assert_seamless(&mut app, terrain).borders;
            }
        }
    }
    assert!(borders > 4_000, "only {borders} borders were checked");
    terrains.iter().for_each(|&terrain| settle(&mut app, terrain));
    assert_nothing_left(&mut app);
}

fn settings_of(app: &App, terrain: Entity) -> TerrainSettings {
    state(app, terrain).settings().expect("settings are in use").clone()
}

/// The quadtree and the viewers of a frame.
struct Frame {
    tree: LodQuadtree,
    viewers: Vec<Viewer>,
}

impl Frame {
    fn of(state: &TerrainState) -> Self {
        Self { tree: state.quadtree().cloned().unwrap_or_default(), viewers: state.viewers().collect() }
    }

    /// The height of the surface at a vertex of the world grid, in metres, as drawn with `morph`. `None` where nothing is drawn.
    fn height(&self, surfaces: &mut Surfaces, morph: &Morph, [x, z]: [i64; 2]) -> Option<f32> {
        let quads = i64::from(surfaces.layout.quads());
        let leaf = (0..=ChunkLayout::ROOT_LEVEL)
            .map(|level| ChunkCoord { level, x: x.div_euclid(quads << level), z: z.div_euclid(quads << level) })
            .find(|&chunk| self.tree.is_leaf(chunk))?;
        let grid = surfaces.layout.grid(leaf, 0);
        let geometry = surfaces.of(leaf);
        let vertex = |column: i64, row: i64| {
            let at = (row * (quads + 1) + column) as usize;
            let [px, pz] = grid.position(column as usize, row as usize);
            let factor = morph.factor(leaf.level, [px as f32, pz as f32]);
            f64::from(Morph::between(geometry.positions[at][1], geometry.coarse_heights[at], factor))
        };
        // The quad and the position in it. Vertices of the last column and row belong to the quads before them.
        let [(column, u), (row, v)] = [x - grid.origin[0], z - grid.origin[1]].map(|offset| {
            let quad = (offset / grid.stride).min(quads - 1);
            (quad, (offset - quad * grid.stride) as f64 / grid.stride as f64)
        });
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dz)| vertex(column + dx, row + dz));
        Some(quad_height(corners, u, v) as f32)
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

/// The visible changes during a flight.
#[derive(Debug, Default)]
struct Pops {
    /// The largest movement of a vertex on the screen from one frame to the next, in pixels, without the camera's movement.
    with_morph: f32,
    /// The same without the morph.
    without_morph: f32,
    /// The largest change of a morph factor from one frame to the next, in a chunk that stays.
    factor: f32,
    /// The number of chunks that replaced coarser or finer ones.
    switches: usize,
}

/// A viewer low above mountains. Every frame waits for its chunks.
struct Flight {
    app: App,
    terrain: Entity,
    viewer: Entity,
    surfaces: Surfaces,
    rng: NoiseRng,
    eye: Vec3,
    before: Frame,
    pops: Pops,
}

impl Flight {
    fn new(pixel_error: f64) -> Self {
        let mut app = headless_app();
        // Mountains of noise. The bound below was set for their roughness.
        let mountains = include_str!("../data/mountains.terrain.ron");
        let mut settings = TerrainSettings::from_ron(mountains).expect("the preset is valid");
        settings.lod = LodSettings { pixel_error, ..Default::default() };
        let terrain = add_terrain(&mut app, settings);
        let eye = Vec3::new(0.0, 120.0, 0.0);
        let viewer =
            app.world_mut().spawn((TerrainViewer { view_distance: 3000.0 }, Transform::from_translation(eye))).id();
        settle(&mut app, terrain);
        let (field, layout) = (state(&app, terrain).field().cloned(), state(&app, terrain).layout().copied());
        let (field, layout) = (field.expect("there is ground"), layout.expect("there is ground"));
        let surfaces = Surfaces { field, layout, builder: ChunkBuilder::default(), built: CoordMap::default() };
        let before = Frame::of(state(&app, terrain));
        Self { app, terrain, viewer, surfaces, rng: NoiseRng::new(7, 0), eye, before, pops: Pops::default() }
    }

    /// Moves the viewer to 40 m above the ground at `position`.
    fn go_to(&mut self, position: Vec2) {
        self.eye =
            Vec3::new(position.x, self.surfaces.field.height(position.x.into(), position.y.into()) + 40.0, position.y);
        self.app.world_mut().get_mut::<Transform>(self.viewer).expect("a viewer").translation = self.eye;
    }

    /// Runs a frame of 1/60 s, and waits until its chunks are built.
    fn run_frame(&mut self) -> Frame {
        set_frame_time(&mut self.app, Duration::from_secs(1) / 60);
        self.app.update();
        let now = Frame::of(state(&self.app, self.terrain));
        // The clock is stopped during the wait.
        set_frame_time(&mut self.app, Duration::ZERO);
        // A frame after the last chunk may queue more.
        let mut idle_frames = 0;
        let is_done = |app: &mut App| {
            let TerrainStats { tasks_in_flight, chunks_queued, .. } = stats(app);
            idle_frames = if tasks_in_flight + chunks_queued == 0 { idle_frames + 1 } else { 0 };
            idle_frames == 3
        };
        pump_until(&mut self.app, "the chunks are built", is_done);
        now
    }

    /// Runs a frame, and records the changes since the frame before.
    fn run_and_compare(&mut self) {
        let now = self.run_frame();
        let Self { surfaces, rng, before, pops, .. } = self;
        let layout = surfaces.layout;
        pops.switches += now.tree.leaves().iter().filter(|&&leaf| !before.tree.is_leaf(leaf)).count();
        let morphs = [&*before, &now].map(|frame| Morph::new(&frame.viewers, [0.0; 2]));
        for &leaf in now.tree.leaves() {
            let grid = layout.grid(leaf, 0);
            for _ in 0..6 {
                let [column, row] = [0, 1].map(|_| i64::from(rng.next_u32() % layout.vertices()));
                let vertex = [grid.origin[0] + column * grid.stride, grid.origin[1] + row * grid.stride];
                let [x, z] = vertex.map(|index| (index as f64 * layout.spacing(0)) as f32);
                let mut pixels = |morphs: [&Morph; 2]| {
                    let then = before.height(surfaces, morphs[0], vertex)?;
                    let here = now.height(surfaces, morphs[1], vertex)?;
                    let distance = Vec3::new(x, here, z).distance(self.eye);
                    Some((here - then).abs() * now.viewers[0].point.projection_scale as f32 / distance)
                };
                pops.with_morph = pops.with_morph.max(pixels([&morphs[0], &morphs[1]]).unwrap_or_default());
                pops.without_morph = pops.without_morph.max(pixels([&Morph::STILL; 2]).unwrap_or_default());
                if before.tree.is_leaf(leaf) {
                    let [then, here] = [0, 1].map(|frame| morphs[frame].factor(leaf.level, [x, z]));
                    pops.factor = pops.factor.max((here - then).abs());
                }
            }
        }
        self.before = now;
    }
}

#[test]
fn no_vertex_moves_visibly_when_levels_change() {
    for (pixel_error, metres_per_second) in [(6.0, 200.0), (12.0, 100.0)] {
        let mut flight = Flight::new(pixel_error);
        for frame in 0..600_u16 {
            let along = metres_per_second * f32::from(frame) / 60.0;
            flight.go_to(Vec2::new(along, 300.0 * (along / 400.0).sin()));
            flight.run_and_compare();
        }
        let pops = flight.pops;
        let levels = flight.before.tree.leaves_per_level();
        println!("{pixel_error} pixels allowed, {metres_per_second} m/s: {pops:?}, chunks of each level: {levels:?}");
        assert!(pops.switches > 15, "too few switches for a test: {pops:?}");
        assert!(pops.with_morph < 0.1, "{pops:?}");
        assert!(pops.without_morph > 3.0 * pops.with_morph, "the morph does nothing: {pops:?}");
    }
}

/// After a teleport the ground is coarse at first, and then detail grows.
#[test]
fn detail_grows_smoothly_after_a_teleport() {
    let mut flight = Flight::new(1.5);
    flight.go_to(Vec2::new(7300.0, -4100.0));
    flight.before = flight.run_frame();
    let plan = state(&flight.app, flight.terrain).plan().expect("there is ground");
    assert!(!plan.is_settled(), "the terrain is settled too early");
    let mut frames = 0;
    while !state(&flight.app, flight.terrain).is_settled() {
        flight.run_and_compare();
        frames += 1;
        assert!(frames < 3000, "the terrain is not settled after 3000 frames: {:?}", flight.pops);
    }
    let pops = flight.pops;
    println!("after a teleport, {frames} frames: {pops:?}");
    assert!(pops.switches > 50, "too few switches for a test: {pops:?}");
    // A range grows by `GROWTH` sides of a chunk per second, and vertices morph within half a side of the level below. That is a
    // change of 0.4 per frame.
    assert!(pops.factor < (4.0 * GROWTH / 60.0) as f32 + 0.01, "{pops:?}");
    assert!(2.0 * pops.with_morph < pops.without_morph, "the morph does nothing: {pops:?}");
}

#[test]
fn two_routes_to_the_same_position_end_with_the_same_ranges_and_levels() {
    let fly = |route: &[[f32; 2]]| {
        let mut app = app_without_threads();
        let terrain = add_terrain(
            &mut app,
            TerrainSettings { stream: StreamSettings { look_ahead: 0.5 }, ..settings_with_levels(4.0) },
        );
        let viewer = add_viewer(&mut app, 0.0, 0.0, 700.0);
        for leg in route.windows(2) {
            let [from, to] = [leg[0], leg[1]].map(Vec2::from_array);
            // Legs of more than 1500 m are jumps.
            let steps = if from.distance(to) > 1500.0 { 1 } else { 60_u8 };
            for step in 1..=steps {
                let position = from.lerp(to, f32::from(step) / f32::from(steps));
                move_to(&mut app, viewer, position.x, position.y);
                app.update();
            }
        }
        settle(&mut app, terrain);
        let state = state(&app, terrain);
        let (plan, layout) = state.plan().zip(state.layout()).expect("there is ground");
        (*plan.viewer(viewer.to_bits()).expect("a viewer"), plan.drawn().clone(), *layout)
    };
    let home = [333.0, -70.0];
    let (first, first_tree, layout) = fly(&[[0.0, 0.0], [0.0, -800.0], home]);
    for route in [
        &[[0.0, 0.0], home][..],
        &[[0.0, 0.0], [1000.0, 900.0], [333.0, 500.0], home],
        &[[0.0, 0.0], [-90_000.0, 10_000.0], [-90_500.0, 10_000.0], home],
    ] {
        let (planned, tree, _) = fly(route);
        assert_eq!(planned.target, first.target);
        assert_eq!(planned.current, first.current);
        // The drawn chunks differ only where hysteresis keeps the earlier state.
        let differ = |one: &LodQuadtree, other: &LodQuadtree| -> Vec<ChunkCoord> {
            one.leaves().iter().copied().filter(|&leaf| !other.is_leaf(leaf)).collect()
        };
        for leaf in [differ(&tree, &first_tree), differ(&first_tree, &tree)].concat() {
            let within = |chunk: ChunkCoord, range: f64| {
                let distance = first.target.distance(&layout, chunk);
                let margin = LodRanges::HYSTERESIS * layout.chunk_size(chunk.level);
                (range..=range + margin).contains(&distance)
            };
            let splits = (leaf.level..=ChunkLayout::ROOT_LEVEL).map(|level| leaf.ancestor(level));
            let is_within_split = splits.into_iter().any(|chunk| within(chunk, first.target.ranges.split(chunk.level)));
            let is_within_view = within(leaf, first.target.point.view_distance);
            assert!(is_within_split || is_within_view, "{leaf:?} is drawn after only one of two routes");
        }
    }
}
