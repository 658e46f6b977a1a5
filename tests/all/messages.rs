//! Messages and events: what games learn about the ground.

mod despawned_by_games;
mod drawn;
mod ground_levels;
mod levels;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_perlin_terrain::field::TerrainEdit;
use bevy_perlin_terrain::prelude::*;
use testing::app::messages::{record_messages, take_messages};
use testing::app::*;

/// Settings whose finest level has a range of some hundred metres.
fn settings() -> TerrainSettings {
    settings_with_levels(30.0)
}

#[test]
fn within_a_frame_hidden_messages_come_before_shown_messages() {
    /// The kinds of the events of a frame, in the order in which observers got them.
    #[derive(Resource, Default)]
    struct Order(Vec<usize>);

    // Without threads, so that reloads end in time on a busy machine.
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    app.init_resource::<Order>()
        .add_observer(|_: On<ChunkHidden>, mut order: ResMut<Order>| order.0.push(0))
        .add_observer(|_: On<GroundHidden>, mut order: ResMut<Order>| order.0.push(1))
        .add_observer(|_: On<ChunkShown>, mut order: ResMut<Order>| order.0.push(2))
        .add_observer(|_: On<GroundShown>, mut order: ResMut<Order>| order.0.push(3))
        .add_observer(|_: On<ChunkLevelChanged>, mut order: ResMut<Order>| order.0.push(4))
        .add_observer(|_: On<GroundEdited>, mut order: ResMut<Order>| order.0.push(5))
        .add_observer(|_: On<TerrainReady>, mut order: ResMut<Order>| order.0.push(6));
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 0.0, 0.0, 500.0);
    let mut frames_with = [[0; 7]; 7];
    for step in 0..600_u16 {
        let jump = f32::from(step / 150) * 7000.0;
        move_to(&mut app, viewer, jump + f32::from(step % 150) * 4.0, 0.0);
        if step % 100 == 70 {
            edit(&mut app, terrain, |settings| settings.field.seed += 1);
        }
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).expect("every terrain has it");
        edits.set(u64::from(step), TerrainEdit::default()).expect("it is allowed");
        app.update();
        let order = std::mem::take(&mut app.world_mut().resource_mut::<Order>().0);
        assert!(order.is_sorted(), "{order:?}");
        for (one, other) in (0..7).flat_map(|one| (0..7).map(move |other| (one, other))) {
            frames_with[one][other] += usize::from(order.contains(&one) && order.contains(&other));
        }
        std::thread::yield_now();
    }
    assert!(
        frames_with[0][2] > 20 && frames_with[1][3] > 5 && frames_with[1][4] > 5 && frames_with[4][5] > 5,
        "{frames_with:?}"
    );
}

#[test]
fn bounds_in_messages_are_those_of_the_ground() {
    let mut app = with_chunks_per_frame(app_without_threads(), 6);
    record_messages(&mut app);
    let terrain = add_terrain(&mut app, settings());
    let viewer = add_viewer(&mut app, 3000.0, -2000.0, 400.0);
    let (mut checked, mut changes) = (0, 0);
    for step in 0..250_u8 {
        move_to(&mut app, viewer, 3000.0 + f32::from(step) * 9.0, -2000.0);
        app.update();
        let messages = take_messages(&mut app);
        for shown in &messages.shown {
            let layout = *state(&app, terrain).layout().expect("there is ground");
            let [west, north] = layout.origin(shown.coord);
            let surface = &app.world().get::<ChunkSurface>(shown.chunk).expect("a surface").0;
            let positions = surface
                .positions
                .iter()
                .map(|&[x, y, z]| DVec3::new(west + f64::from(x), f64::from(y), north + f64::from(z)));
            let (min, max) = positions.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), position| {
                (min.min(position), max.max(position))
            });
            assert_eq!(shown.bounds, ChunkBounds { min, max });
            assert_eq!(app.world().get::<ChunkBounds>(shown.chunk), Some(&shown.bounds));
            checked += 1;
        }
        let areas = (messages.ground_shown.iter().map(|shown| (shown.area, shown.bounds)))
            .chain(messages.ground_hidden.iter().map(|hidden| (hidden.area, hidden.bounds)));
        for (area, bounds) in areas {
            let layout = *state(&app, terrain).layout().expect("there is ground");
            let ([west, north], size) = (layout.origin(area), layout.chunk_size(area.level));
            assert_eq!(
                [bounds.min.x, bounds.min.z, bounds.max.x, bounds.max.z],
                [west, north, west + size, north + size]
            );
            let field = state(&app, terrain).field().expect("there is ground");
            let middle = f64::from(field.height(bounds.center().x, bounds.center().z));
            assert!((bounds.min.y..=bounds.max.y).contains(&middle), "{middle} in {bounds:?}");
        }
        for change in &messages.levels {
            let layout = *state(&app, terrain).layout().expect("there is ground");
            let within = drawn_chunks(&mut app, terrain).into_iter().filter(|(coord, _)| {
                coord.level <= change.area.level && coord.ancestor(change.area.level) == change.area
            });
            let boxes = within.map(|(_, chunk)| *app.world().get::<ChunkBounds>(chunk).expect("bounds"));
            // At the horizon, a part of the area may be out of view.
            let drawn = boxes.reduce(|one, other| one.union(&other)).expect("the area is drawn");
            assert_eq!([drawn.min.y, drawn.max.y], [change.bounds.min.y, change.bounds.max.y]);
            assert_eq!([change.bounds.min.x, change.bounds.min.z], layout.origin(change.area));
            assert_eq!(change.bounds.size().x, layout.chunk_size(change.area.level));
            changes += 1;
        }
    }
    assert!(checked > 100 && changes > 20, "{checked} chunks, {changes} changes");
}

#[test]
fn a_single_terrain_can_be_observed() {
    #[derive(Resource, Default)]
    struct Count(usize);
    let mut app = slow_app();
    app.init_resource::<Count>();
    let [one, other] = [5, 6].map(|seed| {
        let mut settings = settings();
        settings.field.seed = seed;
        add_terrain(&mut app, settings)
    });
    app.world_mut().entity_mut(other).observe(move |shown: On<ChunkShown>, mut count: ResMut<Count>| {
        assert_eq!(shown.terrain, other);
        count.0 += 1;
    });
    add_viewer(&mut app, 0.0, 0.0, 200.0);
    settle(&mut app, one);
    settle(&mut app, other);
    assert!(app.world().resource::<Count>().0 >= drawn_chunks(&mut app, other).len());
}
