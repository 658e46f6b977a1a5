//! Guarantees for users of the terrain: seams, values, land, plans and settings.

mod defaults;
mod draft;
mod hostile_settings;
mod land;
mod look;
mod mistaken_settings;
mod planner;
mod seams;
mod valid_settings;
mod values;
