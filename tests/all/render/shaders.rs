//! The shaders are valid. The tests need no GPU.

use super::*;

/// Whether `shader` and all its imports are loaded.
fn all_imports_are_loaded(shaders: &Assets<Shader>, shader: &Shader) -> bool {
    let mut wanted: Vec<&ShaderImport> = shader.imports.iter().collect();
    let mut seen = HashSet::new();
    while let Some(import) = wanted.pop() {
        if seen.insert(import.clone()) {
            let Some((_, found)) = shaders.iter().find(|(_, shader)| shader.import_path == *import) else {
                return false;
            };
            wanted.extend(&found.imports);
        }
    }
    true
}

/// The definitions of Bevy for the shaders of a chunk in every pass.
fn base_definitions() -> Vec<ShaderDefVal> {
    let number = |name: &str, value| ShaderDefVal::UInt(name.to_owned(), value);
    vec![
        "VERTEX_OUTPUT_INSTANCE_INDEX".into(),
        "VERTEX_POSITIONS".into(),
        "VIEW_PROJECTION_PERSPECTIVE".into(),
        "SHADOW_FILTER_METHOD_HARDWARE_2X2".into(),
        number("MATERIAL_BIND_GROUP", 3),
        number("MAX_DIRECTIONAL_LIGHTS", 10),
        number("MAX_CASCADES_PER_LIGHT", 4),
        number("AVAILABLE_STORAGE_BUFFER_BINDINGS", 8),
        ShaderDefVal::Int("SCREEN_SPACE_SPECULAR_TRANSMISSION_BLUR_TAPS".to_owned(), 8),
    ]
}

#[test]
fn the_shaders_are_valid_with_all_their_imports() {
    let mut app = render_app(TerrainRenderPlugin::default());
    let load = |name| -> Handle<Shader> {
        app.world().resource::<AssetServer>().load(format!("embedded://bevy_perlin_terrain/render/draw/{name}.wgsl"))
    };
    let (vertex, fragment) = (load("morph_vertex"), load("terrain"));
    pump_until(&mut app, "the shaders and their imports are loaded", |app| {
        let shaders = app.world().resource::<Assets<Shader>>();
        let is_whole = |handle| shaders.get(handle).is_some_and(|shader| all_imports_are_loaded(shaders, shader));
        is_whole(&vertex) && is_whole(&fragment)
    });
    let shaders = app.world().resource::<Assets<Shader>>();
    // In debug builds the composer validates its result.
    let mut cache = ShaderCache::<(), ()>::new((), WgpuFeatures::all(), DownlevelFlags::all(), |(), _, _| Ok(()));
    for (id, shader) in shaders.iter() {
        cache.set_shader(id, shader.clone());
    }
    let of_vertex = [MAIN_PASSES, PREPASSES, DEFERRED].concat();
    let of_fragment = [MAIN_PASSES, DEFERRED].concat();
    let qualities: [&[&str]; 3] =
        [&[], &["TERRAIN_QUALITY_REDUCED"], &["TERRAIN_QUALITY_REDUCED", "TERRAIN_QUALITY_LOW"]];
    for (handle, passes, qualities) in [(vertex, of_vertex, &qualities[..1]), (fragment, of_fragment, &qualities)] {
        for (pass, quality) in passes.iter().flat_map(|pass| qualities.iter().map(move |quality| (pass, quality))) {
            let names = pass.iter().chain(*quality);
            let definitions: Vec<_> = base_definitions().into_iter().chain(names.map(|&name| name.into())).collect();
            if let Err(error) = cache.get(0, handle.id(), &definitions) {
                panic!("{:?} with {definitions:?}: {error}", handle.path());
            }
        }
    }
}
