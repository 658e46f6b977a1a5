//! Pointers hover and click the ground that is drawn.

use bevy::camera::NormalizedRenderTarget;
use bevy::camera::visibility::RenderLayers;
use bevy::math::DVec3;
use bevy::picking::PickingSystems;
use bevy::picking::backend::ray::{RayId, RayMap};
use bevy::picking::backend::{HitData, PointerHits};
use bevy::picking::hover::HoverMap;
use bevy::picking::pointer::{Location, PointerAction, PointerId, PointerInput, PointerLocation};
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{ChunkLayout, Morph, Viewer, triangle_indices};
use bevy_perlin_terrain::ground::{TerrainPickingPlugin, TerrainTiles};
use bevy_perlin_terrain::prelude::*;
use testing::app::*;

/// The rays of all pointers, in place of those that a window would give.
#[derive(Resource, Default)]
struct Rays(Vec<(RayId, Ray3d)>);

/// The hits of the last frame.
#[derive(Resource, Default)]
struct Hits(Vec<PointerHits>);

/// A headless app with picking and one pointer.
fn picking_app() -> App {
    let mut app = headless_app();
    app.add_plugins((TerrainPickingPlugin, PickingPlugin, InteractionPlugin))
        .init_resource::<Rays>()
        .init_resource::<Hits>()
        .add_systems(
            PreUpdate,
            (|rays: Res<Rays>, mut map: ResMut<RayMap>| map.map.extend(rays.0.iter().copied()))
                .after(PickingSystems::ProcessInput)
                .before(PickingSystems::Backend),
        )
        .add_systems(
            PreUpdate,
            (|mut hits: ResMut<Hits>, mut new: MessageReader<PointerHits>| hits.0 = new.read().cloned().collect())
                .after(PickingSystems::Backend),
        );
    app.finish();
    app.world_mut().spawn((PointerId::Mouse, PointerLocation::new(location())));
    app
}

fn location() -> Location {
    Location { target: NormalizedRenderTarget::None { width: 100, height: 100 }, position: Vec2::splat(50.0) }
}

/// Spawns a camera with an order.
fn add_camera(app: &mut App, order: isize) -> Entity {
    app.world_mut().spawn(Camera { order, ..default() }).id()
}

/// Points the mouse along `ray`, in the image of `camera` and of no other.
fn aim(app: &mut App, camera: Entity, ray: Ray3d) {
    app.world_mut().resource_mut::<Rays>().0 = vec![(RayId::new(camera, PointerId::Mouse), ray)];
}

fn down_at(x: f32, z: f32) -> Ray3d {
    Ray3d::new(Vec3::new(x, 500.0, z), Dir3::NEG_Y)
}

/// The hits of the next frame, each with its target.
fn hits(app: &mut App) -> Vec<(Entity, HitData)> {
    app.update();
    app.world().resource::<Hits>().0.iter().flat_map(|hits| hits.picks.clone()).collect()
}

/// The entity that the mouse hovers.
fn hovered(app: &App) -> Vec<(Entity, HitData)> {
    let hovered = app.world().resource::<HoverMap>().get(&PointerId::Mouse);
    hovered.into_iter().flatten().map(|(&entity, hit)| (entity, hit.clone())).collect()
}

/// A settled app with chunks of several levels that morph, and a camera.
fn app_with_levels() -> (App, Entity, Entity) {
    let (mut app, terrain, _) = settled(picking_app(), settings_with_levels(8.0), 600.0);
    let camera = add_camera(&mut app, 0);
    (app, terrain, camera)
}

/// All triangles that are drawn, in world coordinates, each with its chunk.
fn drawn_triangles(app: &mut App, terrain: Entity) -> Vec<(ChunkCoord, [Vec3; 3])> {
    let viewers: Vec<Viewer> = state(app, terrain).viewers().collect();
    let layout: ChunkLayout = *state(app, terrain).layout().expect("it is loaded");
    let mut chunks =
        app.world_mut().query::<(&TerrainChunk, &ChunkDrawn, &ChunkSurface, &ChunkStitchMask, &GlobalTransform)>();
    let mut triangles = vec![];
    for (chunk, _, surface, mask, transform) in chunks.iter(app.world()).filter(|(_, drawn, ..)| drawn.is_drawn()) {
        let (level, morph) = (chunk.coord.level, Morph::new(&viewers, layout.origin(chunk.coord)));
        let vertex = |index: u16| {
            let ([x, own, z], coarse) =
                (surface.0.positions[usize::from(index)], surface.0.coarse_heights[usize::from(index)]);
            transform.transform_point(Vec3::new(x, Morph::between(own, coarse, morph.factor(level, [x, z])), z))
        };
        let indices = triangle_indices(surface.0.side, mask.0);
        triangles.extend(indices.as_chunks::<3>().0.iter().map(|corners| (chunk.coord, corners.map(vertex))));
    }
    triangles
}

/// The distance of the first triangle that a ray hits from above, its chunk and its normal.
fn brute_force(triangles: &[(ChunkCoord, [Vec3; 3])], ray: Ray3d) -> Option<(f64, ChunkCoord, DVec3)> {
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let hit = |&(chunk, corners): &(ChunkCoord, [Vec3; 3])| {
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let (to_b, to_c, from_a) = (b - a, c - a, origin - a);
        let (p, q) = (direction.cross(to_c), from_a.cross(to_b));
        let det = to_b.dot(p);
        let (u, v, distance) = (from_a.dot(p) / det, direction.dot(q) / det, to_c.dot(q) / det);
        let is_hit = det > 1e-9 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0;
        is_hit.then(|| (distance, chunk, to_b.cross(to_c).normalize()))
    };
    triangles.iter().filter_map(hit).min_by(|a, b| a.0.total_cmp(&b.0))
}

#[test]
fn a_pointer_hits_what_brute_force_over_the_drawn_triangles_hits() {
    let (mut app, terrain, camera) = app_with_levels();
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().single(app.world()).expect("a viewer");
    for transform in [Transform::default(), moved_and_rotated()] {
        app.world_mut().entity_mut(terrain).insert(transform);
        move_to(&mut app, viewer, transform.translation.x, transform.translation.z);
        set_view_distance(&mut app, viewer, 600.0 * transform.scale.x);
        settle(&mut app, terrain);
        app.update();
        let triangles = drawn_triangles(&mut app, terrain);
        let (mut hit_levels, mut misses) = ([0; 24], 0);
        for step in (0..400_u16).map(f32::from) {
            let eye = Vec3::new(step * 3.3 - 600.0, 20.0 + step % 90.0, (step * 7.7) % 500.0 - 250.0);
            let toward = Vec3::new((step * 0.37).cos(), -0.3 + (step % 7.0) * 0.05, (step * 0.37).sin());
            let toward = transform.rotation * toward;
            let ray = Ray3d::new(transform.transform_point(eye), Dir3::new(toward).expect("it has a length"));
            aim(&mut app, camera, ray);
            let found = hits(&mut app);
            let Some((distance, chunk, normal)) = brute_force(&triangles, ray) else {
                assert_eq!(found, [], "{ray:?}");
                misses += 1;
                continue;
            };
            let [(entity, hit)] = &found[..] else { panic!("{} hits", found.len()) };
            // `f32` positions of the world are exact to less than a millimetre here.
            assert!((f64::from(hit.depth) - distance).abs() < 0.02, "{} for {distance}, {ray:?}", hit.depth);
            assert_eq!((*entity, hit.camera), (terrain, camera));
            let position = hit.position.expect("it has a position");
            assert!(position.distance(ray.get_point(hit.depth)) < 0.02);
            assert!((hit.normal.expect("it has a normal").as_dvec3() - normal).length() < 1e-2, "{ray:?}");
            let pick = hit.extra_as::<TerrainPick>().expect("it has extra data");
            assert_eq!(pick.chunk, chunk);
            assert!(transform.transform_point(pick.terrain_position.as_vec3()).distance(position) < 0.02);
            hit_levels[usize::from(chunk.level)] += 1;
        }
        assert!(misses > 20 && hit_levels[..2].iter().all(|&hits| hits > 5), "{misses}, {hit_levels:?}");
    }
    assert_eq!(app.world().resource::<TerrainTiles>().0.bytes(), 0, "a pointer computes no heights");
}

#[test]
fn a_change_of_level_sends_no_out_and_no_over() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let mut app = picking_app();
    app.init_resource::<Changes>();
    let terrain = add_terrain(&mut app, settings_with_levels(8.0));
    app.world_mut()
        .entity_mut(terrain)
        .observe(|_: On<PointerOver>, mut changes: ResMut<Changes>| changes.0 += 1)
        .observe(|_: On<PointerOut>, mut changes: ResMut<Changes>| changes.0 += 1);
    let viewer = add_viewer(&mut app, 0.0, 0.0, 600.0);
    settle(&mut app, terrain);
    let camera = add_camera(&mut app, 0);
    aim(&mut app, camera, down_at(10.3, 7.1));
    let mut chunks = vec![];
    for step in 0..120_u8 {
        move_to(&mut app, viewer, f32::from(step) * 4.0, 0.0);
        settle(&mut app, terrain);
        let [(target, hit)] = &hovered(&app)[..] else { panic!("nothing is hovered in step {step}") };
        assert_eq!(*target, terrain);
        chunks.push(hit.extra_as::<TerrainPick>().expect("it has extra data").chunk);
    }
    chunks.dedup();
    assert!(chunks.len() > 1, "the level under the pointer did not change: {chunks:?}");
    assert_eq!(app.world().resource::<Changes>().0, 1, "the first `Over` is the only one");
}

#[test]
fn a_click_reaches_the_terrain() {
    #[derive(Resource, Default)]
    struct Clicked(Vec<(Entity, Option<Vec3>)>);
    let (mut app, terrain, camera) = app_with_levels();
    app.init_resource::<Clicked>();
    app.add_observer(|click: On<PointerClick>, mut clicked: ResMut<Clicked>| {
        clicked.0.push((click.entity, click.hit.position));
    });
    aim(&mut app, camera, down_at(33.0, -20.0));
    for action in [PointerAction::Press(PointerButton::Primary), PointerAction::Release(PointerButton::Primary)] {
        app.update();
        app.world_mut().write_message(PointerInput::new(PointerId::Mouse, location(), action));
    }
    app.update();
    let clicked = &app.world().resource::<Clicked>().0;
    let (target, position) = clicked[0];
    assert_eq!(target, terrain);
    assert!(position.is_some_and(|at| at.x == 33.0 && at.z == -20.0), "{position:?}");
}

#[test]
fn only_chunks_of_the_render_layers_of_the_camera_are_hit() {
    let (mut app, terrain, camera) = app_with_levels();
    aim(&mut app, camera, down_at(0.0, 0.0));
    assert_eq!(hits(&mut app).len(), 1);
    app.world_mut().entity_mut(camera).insert(RenderLayers::layer(3));
    assert_eq!(hits(&mut app), []);
    for chunk in all_chunks(&mut app) {
        app.world_mut().entity_mut(chunk).insert(RenderLayers::from_layers(&[2, 3]));
    }
    assert_eq!(hits(&mut app).len(), 1);
    app.world_mut().entity_mut(camera).remove::<RenderLayers>();
    assert_eq!(hits(&mut app), []);
    assert!(state(&app, terrain).is_settled());
}

#[test]
fn a_hidden_terrain_and_one_that_ignores_pointers_are_not_hit() {
    let (mut app, terrain, camera) = app_with_levels();
    aim(&mut app, camera, down_at(0.0, 0.0));
    app.world_mut().entity_mut(terrain).insert(InheritedVisibility::HIDDEN);
    assert_eq!(hits(&mut app), []);
    app.world_mut().entity_mut(terrain).insert(InheritedVisibility::VISIBLE);
    assert_eq!(hits(&mut app).len(), 1);
    app.world_mut().entity_mut(terrain).insert(Pickable::IGNORE);
    assert_eq!(hits(&mut app), []);
}

#[test]
fn the_camera_of_the_higher_order_comes_first() {
    let (mut app, terrain, below) = app_with_levels();
    let above = add_camera(&mut app, 7);
    // The camera above looks at a position that is further away.
    app.world_mut().resource_mut::<Rays>().0 = vec![
        (RayId::new(below, PointerId::Mouse), down_at(0.0, 0.0)),
        (RayId::new(above, PointerId::Mouse), Ray3d::new(Vec3::new(90.0, 900.0, 0.0), Dir3::NEG_Y)),
    ];
    app.update();
    let orders: Vec<f32> = app.world().resource::<Hits>().0.iter().map(|hits| hits.order).collect();
    assert!(orders.len() == 2 && orders.contains(&0.0) && orders.contains(&7.0), "{orders:?}");
    let [(target, hit)] = &hovered(&app)[..] else { panic!("one target") };
    assert_eq!((*target, hit.camera), (terrain, above));
}

#[test]
fn what_is_nearer_than_the_ground_hides_it() {
    #[derive(Resource)]
    struct Other(Entity, f32);
    let (mut app, terrain, camera) = app_with_levels();
    let other = app.world_mut().spawn_empty().id();
    app.insert_resource(Other(other, 0.0)).add_systems(
        PreUpdate,
        (move |other: Res<Other>, mut hits: MessageWriter<PointerHits>| {
            let hit = HitData::new(camera, other.1, None, None);
            hits.write(PointerHits::new(PointerId::Mouse, vec![(other.0, hit)], 0.0));
        })
        .in_set(PickingSystems::Backend),
    );
    aim(&mut app, camera, down_at(0.0, 0.0));
    app.update();
    let ground = app.world().resource::<Hits>().0.iter().flat_map(|hits| &hits.picks);
    let depth = ground.filter(|(target, _)| *target == terrain).map(|(_, hit)| hit.depth).next().expect("a hit");
    for (away, expected) in [(-0.1, other), (0.1, terrain)] {
        app.world_mut().resource_mut::<Other>().1 = depth + away;
        app.update();
        assert_eq!(hovered(&app).iter().map(|(target, _)| *target).collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn a_terrain_that_is_despawned_or_removed_from_its_entity_is_not_hit_any_more() {
    let ends: [fn(EntityWorldMut); 2] = [|terrain| terrain.despawn(), |mut terrain| _ = terrain.remove::<Terrain>()];
    for end in ends {
        let (mut app, terrain, camera) = app_with_levels();
        aim(&mut app, camera, down_at(0.0, 0.0));
        assert_eq!(hits(&mut app).len(), 1);
        end(app.world_mut().entity_mut(terrain));
        assert_eq!(hits(&mut app), []);
        assert!(hovered(&app).is_empty());
    }
}

#[test]
fn a_ray_beside_the_ground_and_one_that_is_not_finite_miss() {
    let (mut app, _, camera) = app_with_levels();
    let origin = Vec3::Y * 500.0;
    let nowhere = [
        Ray3d::new(origin, Dir3::Y),
        Ray3d::new(origin, Dir3::X),
        Ray3d::new(-origin, Dir3::Y),
        down_at(50_000.0, 0.0),
        down_at(f32::NAN, 0.0),
        down_at(0.0, f32::INFINITY),
        Ray3d::new(Vec3::NEG_INFINITY, Dir3::NEG_Y),
        Ray3d::new(Vec3::Y * f32::NAN, Dir3::NEG_Y),
        Ray3d::new(Vec3::Y * f32::INFINITY, Dir3::NEG_Y),
    ];
    for ray in nowhere {
        aim(&mut app, camera, ray);
        assert_eq!(hits(&mut app), [], "{ray:?}");
    }
    aim(&mut app, camera, down_at(0.0, 0.0));
    assert_eq!(hits(&mut app).len(), 1);
}

#[test]
fn other_backends_ignore_chunks_and_ground_tiles() {
    let (mut app, terrain, _) = app_with_levels();
    app.world_mut().spawn((KeepGround::default(), Transform::default()));
    pump_until(&mut app, "the tiles are there", |app| state(app, terrain).has_all_collider_tiles());
    let mut ground =
        app.world_mut().query_filtered::<Option<&Pickable>, Or<(With<TerrainChunk>, With<ColliderTile>)>>();
    assert!(ground.iter(app.world()).all(|pickable| pickable == Some(&Pickable::IGNORE)));
    let mut tiles = app.world_mut().query::<&ColliderTile>();
    assert!(tiles.iter(app.world()).count() > 0);
}

#[test]
fn without_the_picking_plugin_nothing_is_kept() {
    let mut app = headless_app();
    app.add_plugins(TerrainPickingPlugin);
    app.finish();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 0.0, 0.0, 60.0);
    settle(&mut app, terrain);
    let mut chunks = app.world_mut().query_filtered::<Has<Pickable>, With<TerrainChunk>>();
    assert!(chunks.iter(app.world()).all(|is_pickable| !is_pickable));
}

/// Prints what docs/performance.md has on pointers.
#[test]
#[ignore = "it measures, and tests nothing"]
fn hover_cost() {
    let mut app = picking_app();
    let text = std::fs::read_to_string("assets/terrain/alps.terrain.ron").expect("the preset exists");
    let settings = TerrainSettings::from_ron(&text).expect("the preset is valid");
    let terrain = add_terrain(&mut app, settings);
    let viewer = add_viewer(&mut app, 0.0, 0.0, 8000.0);
    settle(&mut app, terrain);
    let camera = add_camera(&mut app, 0);
    let field = state(&app, terrain).field().expect("it is loaded").clone();
    println!("{} chunks of {:?}", state(&app, terrain).chunks_drawn(), state(&app, terrain).layout());
    for (what, above, pitch) in
        [("2 m above the ground", 2.0, 0.02), ("200 m above", 200.0, 0.2), ("straight down", 200.0, 1.5)]
    {
        let eye = Vec3::new(0.0, field.height(0.0, 0.0) + above, 0.0);
        app.world_mut().get_mut::<Transform>(viewer).expect("a transform").translation = eye;
        settle(&mut app, terrain);
        let rays = (0..2000_u16).map(|number| {
            let (yaw, pitch) = (f32::from(number) * 0.1, pitch * (0.5 + f32::from(number % 10) / 10.0));
            let toward = Vec3::new(yaw.cos() * pitch.cos(), -pitch.sin(), yaw.sin() * pitch.cos());
            (
                RayId::new(camera, PointerId::Touch(number.into())),
                Ray3d::new(eye, Dir3::new(toward).expect("a direction")),
            )
        });
        let rays: Vec<_> = rays.collect();
        let mut times = vec![];
        let mut found = 0;
        for all in [&rays[..], &[]].into_iter().cycle().take(40) {
            app.world_mut().resource_mut::<Rays>().0 = all.to_vec();
            let start = std::time::Instant::now();
            app.world_mut().run_schedule(PreUpdate);
            times.push(start.elapsed().as_secs_f64());
            found = found.max(app.world().resource::<Hits>().0.len());
        }
        let best = |first: usize| times.iter().skip(first).step_by(2).copied().fold(f64::INFINITY, f64::min);
        println!("{what}: {:.1} µs, {found} of {} hit", (best(0) - best(1)) / rays.len() as f64 * 1e6, rays.len());
    }
}
