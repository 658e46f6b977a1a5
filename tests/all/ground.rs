//! Ground queries return the drawn ground.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_perlin_terrain::chunk::{LodSettings, StitchMask, triangle_indices};
use bevy_perlin_terrain::field::FieldSettings;
use bevy_perlin_terrain::ground::{GroundAreaError, GroundNotLoaded, RaySettings, TerrainTiles};
use bevy_perlin_terrain::prelude::*;
use testing::app::*;

#[test]
fn ground_queries_return_the_height_of_every_vertex() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    add_viewer(&mut app, 500.0, -500.0, 60.0);
    let height = app.world_mut().run_system_once(|ground: TerrainGround| ground.height(Vec3::ZERO));
    assert_eq!(height.expect("the query runs"), None);
    settle(&mut app, terrain);
    app.update();
    let mut chunks = app.world_mut().query::<(&TerrainChunk, &ChunkSurface, &GlobalTransform)>();
    let mut vertices = Vec::new();
    for (chunk, surface, transform) in chunks.iter(app.world()) {
        for (&position, &normal) in surface.0.positions.iter().zip(&surface.0.normals) {
            let vertex = transform.transform_point(Vec3::from_array(position));
            // Normals of coarser levels are smoother, so they are not compared.
            vertices.push((vertex, (chunk.coord.level == 0).then_some(Vec3::from_array(normal))));
        }
    }
    assert!(vertices.len() > 500);
    app.world_mut()
        .run_system_once(move |ground: TerrainGround| {
            for &(vertex, normal) in &vertices {
                let above = vertex + Vec3::Y * 1000.0;
                assert_eq!(ground.height(above), Some(vertex.y), "at {vertex}");
                assert_eq!(ground.field_height(above), Some(vertex.y), "at {vertex}");
                let queried = ground.field_normal(above).expect("there is ground");
                let off = normal.map_or(0.0, |normal| queried.distance(normal));
                assert!(off < 1e-6, "the normal at {vertex} differs by {off}");
            }
            let heights = [ground.height(Vec3::NAN), ground.field_height(Vec3::NAN)];
            assert_eq!((heights, ground.normal(Vec3::INFINITY)), ([None; 2], None));
        })
        .expect("the query runs");
}

/// Near a viewer, feet stand on the drawn triangles. The smooth field differs from them between vertices.
#[test]
fn between_vertices_ground_queries_return_the_drawn_triangle() {
    let mut app = headless_app();
    let terrain = add_terrain(&mut app, small_settings());
    // A game may rotate, tilt and scale the terrain.
    let rotation = Quat::from_euler(EulerRot::YXZ, 0.7, 0.02, -0.01);
    let transform = Transform::from_xyz(30.0, -20.0, 10.0).with_rotation(rotation).with_scale(Vec3::splat(1.5));
    app.world_mut().entity_mut(terrain).insert(transform);
    add_viewer(&mut app, 0.0, 0.0, 60.0);
    settle(&mut app, terrain);
    app.update();
    let mut chunks = app.world_mut().query::<(&TerrainChunk, &ChunkSurface, &GlobalTransform)>();
    let mut triangles = Vec::new();
    for (_, surface, transform) in chunks.iter(app.world()).filter(|(chunk, ..)| chunk.coord.level == 0) {
        let indices = triangle_indices(surface.0.side, StitchMask::NONE);
        let vertex =
            |&index: &u16| transform.transform_point(Vec3::from_array(surface.0.positions[usize::from(index)]));
        triangles.extend(indices.chunks(3).map(|triangle| [0, 1, 2].map(|i| vertex(&triangle[i]))));
    }
    assert!(triangles.len() > 500);
    let curved = app
        .world_mut()
        .run_system_once(move |ground: TerrainGround| {
            let mut curved = 0;
            for [a, b, c] in &triangles {
                let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize());
                let off = ground.normal(middle).expect("there is ground").distance(normal);
                assert!(off < 1e-3, "the normal at {middle} differs by {off}");
                let off = (ground.height(middle).expect("there is ground") - middle.y).abs();
                assert!(off < 1e-3, "the height at {middle} differs by {off} m");
                let field = ground.field_height(middle).expect("there is ground");
                curved += usize::from((field - middle.y).abs() > 2e-2);
            }
            curved
        })
        .expect("the query runs");
    assert!(curved > 100, "the field differs from {curved} triangles");
}

/// The app, its terrain and a viewer, settled.
fn settled_app(settings: TerrainSettings) -> (App, Entity) {
    let (mut app, terrain, _) = settled(headless_app(), settings, 200.0);
    app.update();
    (app, terrain)
}

/// Runs `ask` with the ground.
fn ask<T: Send + 'static>(app: &mut App, ask: impl FnOnce(TerrainGround) -> T + Send + Sync + 'static) -> T {
    let mut ask = Some(ask);
    app.world_mut()
        .run_system_once(move |ground: TerrainGround| ask.take().expect("it runs once")(ground))
        .expect("the query runs")
}

#[test]
fn rays_hit_the_ground_of_a_rotated_and_scaled_terrain() {
    let (mut app, terrain) = settled_app(small_settings());
    app.world_mut().entity_mut(terrain).insert(moved_and_rotated());
    app.update();
    ask(&mut app, move |ground| {
        let center = moved_and_rotated().translation;
        for step in (0..40_u8).map(f32::from) {
            let eye = center + Vec3::new(3.0 * step, 300.0, -2.0 * step);
            let direction = Dir3::new(Vec3::new(0.3, -1.0, 0.02 * step)).expect("it has a length");
            let hit = ground.ray(Ray3d::new(eye, direction), &RaySettings::default()).expect("it is loaded");
            let hit = hit.expect("there is ground below");
            assert!((hit.position - eye - *direction * hit.distance).length() < 1e-2, "{hit:?}");
            let point = ground.point(hit.position).expect("there is ground");
            assert!((point.position.y - hit.position.y).abs() < 1e-2, "{hit:?} and {point:?}");
            assert!(hit.normal.y > 0.0 && hit.terrain == terrain && !hit.is_from_below);
            assert_eq!(ground.slope(hit.position), Some(point.slope()));
            let short = RaySettings::up_to(f64::from(hit.distance) - 0.1);
            assert_eq!(ground.ray(Ray3d::new(eye, direction), &short), Ok(None));
            let long = RaySettings::up_to(f64::from(hit.distance) + 0.1);
            assert!(ground.ray(Ray3d::new(eye, direction), &long).expect("it is loaded").is_some());
            assert_eq!(ground.line_of_sight(eye, hit.position), Ok(true));
            assert_eq!(ground.line_of_sight(eye, hit.position - 2.0 * Vec3::Y), Ok(false));
            assert_eq!(ground.line_of_sight(eye, Vec3::NAN), Ok(false));
        }
        let up = Ray3d::new(center - 500.0 * Vec3::Y, Dir3::Y);
        assert_eq!(ground.ray(up, &RaySettings::default()), Ok(None));
        let hit = ground.ray(up, &RaySettings::default().two_sided()).expect("it is loaded").expect("there is ground");
        assert!(hit.is_from_below && hit.normal.y > 0.0);
        let nowhere = Ray3d { origin: Vec3::NAN, direction: Dir3::Y };
        assert_eq!(ground.ray(nowhere, &RaySettings::default()), Ok(None));
    });
}

#[test]
fn batches_and_boxes_agree_with_single_positions() {
    let (mut app, terrain) = settled_app(small_settings());
    ask(&mut app, move |ground| {
        let mut positions: Vec<Vec3> =
            (0..300_u16).map(|i| Vec3::new(f32::from(i) * 1.7 - 200.0, 0.0, f32::from(i % 17) * 9.3)).collect();
        positions.push(Vec3::NAN);
        for (&position, point) in positions.iter().zip(ground.points(&positions)) {
            assert_eq!(point, ground.point(position));
        }
        for (&position, height) in positions.iter().zip(ground.field_heights(&positions)) {
            assert_eq!(height, ground.field_height(position));
        }
        let corners = [Vec3::new(50.0, 0.0, -30.0), Vec3::new(-20.0, 0.0, 61.0)];
        let [lowest, highest] = ground.extremes(terrain, corners).expect("a valid box").expect("it has vertices");
        let found = ground.triangles_in(terrain, corners, 4.0).expect("a valid box").expect("there is a terrain");
        let inside = |position: &&Vec3| (-20.0..=50.0).contains(&position.x) && (-30.0..=61.0).contains(&position.z);
        let heights = || found.positions.iter().filter(inside).map(|position| position.y);
        assert_eq!(heights().fold(f32::INFINITY, f32::min), lowest.y);
        assert_eq!(heights().fold(f32::NEG_INFINITY, f32::max), highest.y);
        assert!(found.positions.iter().all(|&position| ground.height(position) == Some(position.y)));
        assert_eq!(ground.extremes(Entity::PLACEHOLDER, corners), Ok(None));
        assert!(ground.extremes(terrain, [Vec3::NAN, Vec3::ZERO]).is_err());
        assert!(ground.triangles_in(terrain, corners, f32::NAN).is_err());
    });
}

#[test]
fn many_rays_hit_what_each_hits() {
    let (mut app, _) = settled_app(small_settings());
    ask(&mut app, |ground| {
        let ray = |number: u16| {
            let eye = Vec3::new(f32::from(number) * 0.7 - 350.0, 90.0, f32::from(number % 31) * 5.0);
            let toward =
                Vec3::new(f32::from(number % 13) - 6.0, f32::from(number % 7) - 5.5, f32::from(number % 11) - 5.0);
            Ray3d::new(eye, Dir3::new(toward).expect("it has a length"))
        };
        // More than fit in a task, and a last task with fewer.
        let rays: Vec<Ray3d> = (0..1001).map(ray).collect();
        for settings in [RaySettings::default(), RaySettings::up_to(200.0).two_sided()] {
            for count in [0, 1, 64, 65, rays.len()] {
                let all = ground.rays(&rays[..count], &settings).expect("it is loaded");
                let each = rays[..count].iter().map(|&ray| ground.ray(ray, &settings).expect("it is loaded"));
                assert_eq!(all, each.collect::<Vec<_>>());
            }
        }
        let hits = ground.rays(&rays, &RaySettings::default()).expect("it is loaded");
        assert!((200..1001).contains(&hits.iter().flatten().count()));
    });
}

#[test]
fn a_terrain_without_settings_answers_not_yet() {
    let mut app = headless_app();
    let down = Ray3d::new(Vec3::Y * 500.0, Dir3::NEG_Y);
    let sees = |ground: &TerrainGround| ground.line_of_sight(Vec3::ZERO, Vec3::X);
    let none = ask(&mut app, move |ground| (ground.ray(down, &RaySettings::default()), sees(&ground)));
    assert_eq!(none, (Ok(None), Ok(true)), "without a terrain, there is nothing to wait for");
    let terrain = app.world_mut().spawn(Terrain::default()).id();
    let not_yet = ask(&mut app, move |ground| {
        let corners = [Vec3::ZERO, Vec3::ONE];
        assert_eq!(ground.extremes(terrain, corners), Err(GroundAreaError::NotLoaded(GroundNotLoaded)));
        assert_eq!((ground.height(Vec3::ZERO), ground.surface_at(Vec3::ZERO)), (None, None));
        assert!(ground.ground(terrain).is_none());
        assert_eq!(ground.rays(&[down; 200], &RaySettings::default()), Err(GroundNotLoaded));
        (ground.ray(down, &RaySettings::default()), ground.line_of_sight(Vec3::ZERO, Vec3::X))
    });
    assert_eq!(not_yet, (Err(GroundNotLoaded), Err(GroundNotLoaded)));
    // What another terrain knows counts.
    let other = add_terrain(&mut app, small_settings());
    settle(&mut app, other);
    let hit = ask(&mut app, move |ground| ground.ray(down, &RaySettings::default()));
    assert_eq!(hit.map(|hit| hit.map(|hit| hit.terrain)), Ok(Some(other)));
}

#[test]
fn systems_share_tiles_within_the_budget_and_a_reload_drops_them() {
    let (mut app, terrain) = settled_app(small_settings());
    let shoot = |app: &mut App| {
        ask(app, |ground| {
            let rays = (0..20_u8).map(|x| Ray3d::new(Vec3::new(20.0 * f32::from(x), 200.0, 0.0), Dir3::NEG_Y));
            let hits = ground.rays(&rays.collect::<Vec<_>>(), &RaySettings::default()).expect("it is loaded");
            hits.iter().flatten().map(|hit| hit.position.y).collect::<Vec<_>>()
        })
    };
    let bytes = |app: &App| app.world().resource::<TerrainTiles>().0.bytes();
    let before = shoot(&mut app);
    let all = bytes(&app);
    assert!(all > 0 && before.len() == 20);
    assert_eq!((shoot(&mut app), bytes(&app)), (before.clone(), all));
    edit(&mut app, terrain, |settings| settings.field.base_height += 100.0);
    settle(&mut app, terrain);
    let after = shoot(&mut app);
    assert!(after.iter().zip(before).all(|(after, before)| (after - before - 100.0).abs() < 1e-3));
    assert_eq!(bytes(&app), all, "the old tiles are gone");
    set_budget(&mut app, |budget| budget.query_memory = 0.0);
    app.update();
    assert_eq!(bytes(&app), 0);
}

/// The surface of a drawn chunk is the one that the applier chose, at every level.
#[test]
fn the_drawn_surface_is_that_of_the_chunks_in_view() {
    let settings = TerrainSettings { lod: LodSettings { morph: false, pixel_error: 4.0 }, ..small_settings() };
    let (mut app, terrain, _) = settled(headless_app(), settings, 600.0);
    app.update();
    let mut chunks =
        app.world_mut().query::<(&TerrainChunk, &ChunkDrawn, &ChunkSurface, &ChunkStitchMask, &GlobalTransform)>();
    let mut expected = Vec::new();
    let mut levels = std::collections::BTreeSet::new();
    for (chunk, _, surface, mask, transform) in chunks.iter(app.world()).filter(|(_, drawn, ..)| drawn.is_drawn()) {
        levels.insert(chunk.coord.level);
        for triangle in triangle_indices(surface.0.side, mask.0).chunks(3) {
            let corners = [0, 1, 2]
                .map(|i| transform.transform_point(Vec3::from_array(surface.0.positions[usize::from(triangle[i])])));
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).y;
            if area > 1e-3 {
                expected.push((chunk.coord, corners.into_iter().sum::<Vec3>() / 3.0));
            }
        }
    }
    assert!(levels.len() > 1 && expected.len() > 1000, "{levels:?}");
    ask(&mut app, move |ground| {
        for (chunk, middle) in expected {
            let found = ground.surface_at(middle).expect("it is drawn");
            assert!((found.point.position.y - middle.y).abs() < 1e-3, "{found:?} for {middle}");
            assert_eq!((found.chunk, found.terrain), (chunk, terrain));
        }
        assert_eq!(ground.surface_at(Vec3::new(5000.0, 0.0, 0.0)), None);
        assert_eq!(ground.surface_at(Vec3::NAN), None);
    });
}

#[test]
fn a_terrain_with_a_scale_of_zero_has_no_ground_and_hides_no_other() {
    let mut app = headless_app();
    let terrains = [0.0, 300.0].map(|base_height| {
        let settings = small_settings();
        let field = FieldSettings { base_height, ..settings.field.clone() };
        add_terrain(&mut app, TerrainSettings { field, ..settings })
    });
    add_viewer(&mut app, 0.0, 0.0, 60.0);
    for terrain in terrains {
        settle(&mut app, terrain);
    }
    let answers = |app: &mut App| {
        ask(app, move |ground| {
            let here = Vec3::new(3.0, 0.0, 4.0);
            let down = Ray3d::new(here.with_y(2000.0), Dir3::NEG_Y);
            let settings = RaySettings::up_to(5000.0);
            let single = [
                ground.height(here),
                ground.field_height(here),
                ground.slope(here),
                ground.field_normal(here).map(|normal| normal.y),
                ground.surface_at(here).map(|drawn| drawn.point.position.y),
                ground.ray(down, &settings).expect("it is loaded").map(|hit| hit.distance),
            ];
            let many = [
                ground.points(&[here])[0].map(|point| point.position.y),
                ground.field_heights(&[here])[0],
                ground.rays(&[down], &settings).expect("it is loaded")[0].as_ref().map(|hit| hit.distance),
            ];
            let boxes = terrains.map(|terrain| {
                ground.extremes(terrain, [here, here + 10.0]).expect("it is loaded").map(|[_, highest]| highest.y)
            });
            (single, many, ground.line_of_sight(here.with_y(1000.0), here.with_y(900.0)), boxes)
        })
    };
    let scale = |app: &mut App, number: usize, scale: f32| {
        app.world_mut().entity_mut(terrains[number]).insert(Transform::from_scale(Vec3::splat(scale)));
        pump(app, 3);
    };
    let both = answers(&mut app);
    scale(&mut app, 0, 0.0);
    let upper = answers(&mut app);
    assert_eq!((upper.0, upper.1, upper.2, upper.3[1]), (both.0, both.1, both.2, both.3[1]), "the upper one counts");
    assert_eq!(upper.3[0], None);
    scale(&mut app, 0, 1.0);
    scale(&mut app, 1, 0.0);
    let lower = answers(&mut app);
    assert!(lower.0[0].is_some_and(|height| height < both.0[0].expect("there is ground") - 200.0), "{lower:?}");
    for number in lower.0.into_iter().chain(lower.1) {
        assert!(number.is_some_and(f32::is_finite), "{lower:?}");
    }
    for none in [0.0, f32::NAN] {
        scale(&mut app, 0, none);
        let (single, many, line_of_sight, boxes) = answers(&mut app);
        assert_eq!((single, many, boxes), ([None; 6], [None; 3], [None; 2]), "a scale of {none}");
        assert_eq!(line_of_sight, Ok(true));
    }
}
