//! The plugin hands all shaders to Bevy. The test needs no GPU; `src/render/shaders/tests.rs` checks the shaders themselves.

use super::*;

#[test]
fn bevy_finds_the_shaders_and_all_that_they_import() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let load = |name| -> Handle<Shader> {
        app.world().resource::<AssetServer>().load(format!("embedded://bevy_perlin_terrain/{name}.wesl"))
    };
    let number = |name: &'static str, value| ShaderDefVal::UInt(name.into(), value);
    let definitions = [
        "VERTEX_OUTPUT_INSTANCE_INDEX".into(),
        "VERTEX_POSITIONS".into(),
        "VIEW_PROJECTION_PERSPECTIVE".into(),
        "SHADOW_FILTER_METHOD_HARDWARE_2X2".into(),
        number("MATERIAL_BIND_GROUP", 3),
        number("AVAILABLE_STORAGE_BUFFER_BINDINGS", 8),
        number("SCREEN_SPACE_SPECULAR_TRANSMISSION_BLUR_TAPS", 8),
    ];
    for shader in ["morph_vertex", "terrain"].map(load) {
        let mut failed = None;
        pump_until(&mut app, "the shader and its imports are loaded", |app| {
            let mut cache = ShaderCache::<(), ()>::new((), |(), _, _| Ok(()));
            for (id, shader) in app.world().resource::<Assets<Shader>>().iter() {
                cache.set_shader(id, shader.clone());
            }
            match cache.get(0, shader.id(), &definitions) {
                Ok(_) => true,
                Err(ShaderCacheError::ShaderNotLoaded(_) | ShaderCacheError::ShaderImportNotYetAvailable) => false,
                Err(error) => {
                    failed = Some(error.to_string());
                    true
                }
            }
        });
        assert_eq!(failed, None);
    }
}
