//! Entities that the plugin spawns have the components of the terrain that say how they are drawn.

use super::*;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy_perlin_terrain::render::ChunkWater;

/// An app with ground that is partly under water.
fn app_with_sea() -> (App, Entity) {
    let mut settings = small_settings();
    (settings.look.water, settings.look.water_height) = (true, 20.0);
    let (mut app, terrain) = settled_app(TerrainRenderPlugin::default(), settings);
    app.update();
    (app, terrain)
}

/// How many chunks, and how many sheets of water, have `C`; and how many there are.
fn count<C: Component>(app: &mut App) -> [usize; 4] {
    let mut chunks = app.world_mut().query_filtered::<Has<C>, With<TerrainChunk>>();
    let mut sheets = app.world_mut().query_filtered::<Has<C>, With<ChunkWater>>();
    let (chunks, sheets): (Vec<bool>, Vec<bool>) =
        (chunks.iter(app.world()).collect(), sheets.iter(app.world()).collect());
    let with = |all: &[bool]| all.iter().filter(|&&has| has).count();
    [with(&chunks), with(&sheets), chunks.len(), sheets.len()]
}

/// Adds and removes a component, and moves the viewer meanwhile.
#[track_caller]
fn assert_follows<C: Component + Clone>(component: C, sheets_have_it_anyway: bool) {
    let (mut app, terrain) = app_with_sea();
    let viewer = app.world_mut().query_filtered::<Entity, With<TerrainViewer>>().iter(app.world()).next();
    let viewer = viewer.expect("a viewer");
    let name = std::any::type_name::<C>();
    let move_to = |app: &mut App, x: f32| {
        move_to(app, viewer, x, 0.0);
        settle(app, terrain);
        pump(app, 2);
    };
    let assert_all = |app: &mut App, has: bool| {
        let [chunks, sheets, all_chunks, all_sheets] = count::<C>(app);
        assert!(all_chunks > 20 && all_sheets > 5, "{all_chunks} chunks, {all_sheets} sheets");
        assert_eq!(chunks, if has { all_chunks } else { 0 }, "chunks with {name}");
        assert_eq!(sheets, if has || sheets_have_it_anyway { all_sheets } else { 0 }, "sheets with {name}");
    };
    assert_all(&mut app, false);
    app.world_mut().entity_mut(terrain).insert(component);
    app.update();
    assert_all(&mut app, true);
    move_to(&mut app, 150.0);
    assert_all(&mut app, true);
    app.world_mut().entity_mut(terrain).remove::<C>();
    app.update();
    assert_all(&mut app, false);
    move_to(&mut app, 300.0);
    assert_all(&mut app, false);
}

#[test]
fn chunks_and_water_have_the_components_of_their_terrain() {
    assert_follows(RenderLayers::layer(3), false);
    assert_follows(NotShadowCaster, true);
    assert_follows(NotShadowReceiver, false);
    assert_follows(NoFrustumCulling, false);
}

#[test]
fn chunks_and_water_follow_a_change_of_layers_and_a_chunk_of_its_own_keeps_its_layer() {
    let (mut app, terrain) = app_with_sea();
    let own = *drawn_chunks(&mut app, terrain).values().next().expect("a chunk");
    app.world_mut().entity_mut(own).insert(RenderLayers::layer(7));
    pump(&mut app, 3);
    assert_eq!(app.world().get::<RenderLayers>(own), Some(&RenderLayers::layer(7)), "the terrain has none");
    for layers in [RenderLayers::layer(1), RenderLayers::from_layers(&[0, 2])] {
        app.world_mut().entity_mut(terrain).insert(layers.clone());
        app.update();
        let mut drawn = app.world_mut().query_filtered::<&RenderLayers, Or<(With<TerrainChunk>, With<ChunkWater>)>>();
        assert!(drawn.iter(app.world()).all(|found| *found == layers));
    }
}

#[cfg(feature = "picking")]
#[test]
fn a_sheet_of_water_stops_no_pointer() {
    use bevy::picking::Pickable;
    let (mut app, _) = app_with_sea();
    let mut sheets = app.world_mut().query_filtered::<Option<&Pickable>, With<ChunkWater>>();
    let found: Vec<Option<&Pickable>> = sheets.iter(app.world()).collect();
    assert!(found.len() > 5 && found.iter().all(|pickable| *pickable == Some(&Pickable::IGNORE)), "{found:?}");
}
