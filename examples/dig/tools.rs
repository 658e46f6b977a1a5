//! The tools: a click digs or takes a road on, and keys level ground and take edits back.

use bevy::input::common_conditions::input_just_pressed;
use bevy::picking::hover::HoverMap;
use bevy::prelude::*;
use bevy_perlin_terrain::field::{
    EditBox, EditChange, EditCircle, EditHeight, EditHill, EditPath, EditShape, HillShape, PathPoint, TerrainEdit,
};
use bevy_perlin_terrain::param::ParamError;
use bevy_perlin_terrain::prelude::*;

pub fn plugin(app: &mut App) {
    app.init_resource::<Made>()
        .add_observer(|terrain: On<Add<Terrain>>, mut commands: Commands| {
            commands.entity(terrain.entity).observe(click);
        })
        .add_systems(
            Update,
            (
                level_for_house.run_if(input_just_pressed(KeyCode::KeyH)),
                begin_or_end_road.run_if(input_just_pressed(KeyCode::KeyR)),
                take_back.run_if(input_just_pressed(KeyCode::KeyZ)),
            ),
        );
}

/// What the player has made.
#[derive(Resource, Default)]
pub struct Made {
    /// The numbers of the edits, in the order in which they were made.
    pub order: Vec<u64>,
    /// The road that is being laid: its number, once it has two points, and its points.
    pub road: Option<(Option<u64>, Vec<PathPoint>)>,
}

impl Made {
    /// Adds an edit, and returns its number.
    fn add(&mut self, edits: &mut TerrainEdits, edit: TerrainEdit) -> Result<u64, ParamError> {
        // Higher numbers come later, so the newest edit counts.
        let number = self.order.iter().max().map_or(0, |last| last + 1);
        edits.set(number, edit)?;
        self.order.push(number);
        Ok(number)
    }
}

/// Digs a crater, or takes the road on.
fn click(click: On<PointerClick>, mut terrains: Query<(&mut TerrainEdits, TerrainPosition)>, mut made: ResMut<Made>) {
    let Ok((mut edits, terrain)) = terrains.get_mut(click.entity) else { return };
    let Some(position) = click.hit.position.filter(|_| click.button == PointerButton::Primary) else { return };
    // Edits are in the terrain's own coordinates.
    let [x, _, z] = terrain.frame().to_terrain(position).to_array();
    let Some((number, mut points)) = made.road.take() else {
        let shape = EditShape::Circle(EditCircle { x, z, radius: 12.0 });
        // A hill upside down.
        let change = EditChange::Hill(EditHill { shape: HillShape::Dome, height: -4.0 });
        if let Err(error) = made.add(&mut edits, TerrainEdit { shape, change, ..default() }) {
            warn!("no crater: {error}");
        }
        return;
    };
    points.push([x, z].into());
    let road = TerrainEdit {
        shape: EditShape::Path(EditPath { points: points.clone(), width: 6.0 }),
        change: EditChange::Flatten(EditHeight::above_ground(0.0)),
        fade: 12.0,
        ..default()
    };
    let laid = match number {
        _ if points.len() < 2 => Ok(None),
        Some(number) => edits.set(number, road).map(|_| Some(number)),
        None => made.add(&mut edits, road).map(Some),
    };
    match laid {
        Ok(number) => made.road = Some((number, points)),
        // Too far from the last point, or one too many.
        Err(error) => warn!("the road ends: {error}"),
    }
}

/// Levels the ground under the pointer.
fn level_for_house(
    hovers: Res<HoverMap>,
    mut terrains: Query<(&mut TerrainEdits, TerrainPosition)>,
    mut made: ResMut<Made>,
) -> Result {
    let hits = hovers.values().flatten();
    let Some((terrain, position)) = hits.filter_map(|(&target, hit)| Some((target, hit.position?))).next() else {
        return Ok(());
    };
    let Ok((mut edits, terrain)) = terrains.get_mut(terrain) else { return Ok(()) };
    let [x, _, z] = terrain.frame().to_terrain(position).to_array();
    let house = TerrainEdit {
        shape: EditShape::Box(EditBox { x, z, width: 16.0, length: 12.0, turn: 0.0 }),
        change: EditChange::Flatten(EditHeight::above_ground(0.0)),
        fade: 8.0,
        ..default()
    };
    made.add(&mut edits, house)?;
    Ok(())
}

fn begin_or_end_road(mut made: ResMut<Made>) {
    made.road = if made.road.is_some() { None } else { Some((None, Vec::new())) };
}

fn take_back(mut edits: Single<&mut TerrainEdits>, mut made: ResMut<Made>) {
    made.road = None;
    if let Some(last) = made.order.pop() {
        edits.remove(last);
    }
}
