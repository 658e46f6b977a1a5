//! What bodies do on terrain with any physics engine.
//!
//! The crate of an engine implements [`Engine`] in its tests, and calls [`body_tests!`](crate::body_tests) there. A test of one
//! engine alone stays in its crate.

mod colliders;
mod falls;
mod plants;
mod seams;
mod shifts;
mod world;

pub use colliders::*;
pub use falls::*;
pub use plants::*;
pub use seams::*;
pub use shifts::*;
pub use world::*;

use bevy::prelude::*;
use bevy_perlin_terrain::prelude::ColliderTile;

/// A physics engine.
pub trait Engine: 'static {
    /// The ways to add physics and colliders of terrain to an app. Most tests use the first.
    const WAYS: &'static [fn(&mut App)];

    /// The collider of a tile of ground.
    type Collider;

    /// Adds physics without colliders of terrain.
    fn add_physics(app: &mut App);

    /// A dynamic body.
    fn body(shape: Shape) -> impl Bundle;

    /// Metres and radians per second.
    fn motion(linear: Vec3, angular: Vec3) -> impl Bundle;

    fn friction(coefficient: f32) -> impl Bundle;

    /// A body that does not rotate.
    fn upright() -> impl Bundle;

    /// A body that never sleeps.
    fn awake() -> impl Bundle;

    /// A body that touches the ground, but no other such body.
    fn apart() -> impl Bundle;

    /// A body that is drawn between its last two ticks.
    fn interpolated() -> impl Bundle;

    /// A body that the game has disabled.
    fn disabled() -> impl Bundle;

    fn may_go_below() -> impl Bundle;

    /// A height field over `size` by `size` metres, around its place, from `side` by `side` heights, column by column.
    fn height_field(heights: &[f32], side: usize, size: f32) -> impl Bundle;

    /// Where a body is.
    fn place(app: &App, body: Entity) -> Vec3;

    /// How fast a body is, in metres per second.
    fn velocity(app: &App, body: Entity) -> Vec3;

    /// Whether a body sleeps.
    fn sleeps(app: &App, body: Entity) -> bool;

    /// The colliders of all tiles.
    fn colliders(app: &mut App) -> Vec<(Self::Collider, ColliderTile)>;

    /// The center of a collider in the world.
    fn center(collider: &Self::Collider) -> Vec3;

    /// The height of a node of a collider's height field.
    fn height(collider: &Self::Collider, column: usize, row: usize) -> f64;

    /// How far below `from` a ray hits a collider, in metres. Rays are 1000 m long.
    fn ray_down(collider: &Self::Collider, from: Vec3) -> Option<f64>;
}

/// Sizes are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Ball {
        radius: f32,
    },
    /// `length` is the distance between the centers of its ends.
    Capsule {
        radius: f32,
        length: f32,
    },
    Cylinder {
        radius: f32,
        length: f32,
    },
    Cube {
        side: f32,
    },
}

/// A ball of a metre.
pub const BALL: Shape = Shape::Ball { radius: 0.5 };

/// A person.
pub const PERSON: Shape = Shape::Capsule { radius: 0.3, length: 0.8 };

/// Makes the tests that all engines share those of an engine.
#[macro_export]
macro_rules! body_tests {
    ($engine:ty) => {
        $crate::body_tests! { $engine:
            a_hundred_bodies_on_borders_and_slopes_stay_above_the_ground_and_none_is_caught
            #[ignore = "ten minutes of simulated time; .ci/physics runs it"]
            a_hundred_bodies_stay_above_the_ground_for_ten_minutes_and_none_is_caught
            a_body_that_teleports_stands_in_the_first_frame
            bodies_without_ground_are_held_and_then_let_go_with_their_velocity
            a_body_below_the_ground_is_put_on_top_unless_it_may_be_there
            sleeping_bodies_follow_the_ground_that_is_edited
            none_falls_through_ground_that_is_edited_a_thousand_times
            what_becomes_a_body_while_it_waits_is_held_too
            every_vertex_has_the_bits_of_the_terrain_and_its_place
            rays_hit_the_triangles_that_are_drawn_also_of_a_moved_and_scaled_terrain
            a_collider_leaves_with_its_tile
            a_hundred_balls_roll_as_far_as_on_one_height_field
            a_resting_stack_survives_a_shift_with_and_without_interpolation
            a_trunk_stops_a_body_unless_it_was_removed
            trunks_are_where_they_stand_after_a_shift
            a_trunk_follows_the_ground_and_the_settings
            a_stone_stops_a_body
        }
    };
    ($engine:ty: $($(#[$attribute:meta])* $test:ident)*) => {
        $(
            #[test]
            $(#[$attribute])*
            fn $test() {
                $crate::bodies::$test::<$engine>();
            }
        )*
    };
}
