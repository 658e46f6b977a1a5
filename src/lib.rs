pub mod chunk;
pub mod field;
pub mod noise;
pub mod param;
pub mod render;
pub mod settings;
pub mod stream;
