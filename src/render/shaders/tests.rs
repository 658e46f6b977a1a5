//! Every shader is valid in every pass and on every kind of device. The tests need neither an app nor a driver.

use super::compile::{Definition, compile_module, compile_text};
use crate::render::TerrainQuality;

/// The definitions of Bevy for the passes that draw chunks.
const MAIN_PASSES: &[&[&str]] = &[
    &["MESH_PIPELINE"],
    &["MESH_PIPELINE", "DISTANCE_FOG", "ENVIRONMENT_MAP"],
    &["MESH_PIPELINE", "ATMOSPHERE", "DEPTH_PREPASS", "MOTION_VECTOR_PREPASS", "TEMPORAL_JITTER"],
    &["MESH_PIPELINE", "MULTISAMPLED", "NORMAL_PREPASS"],
    &["MESH_PIPELINE", "SCREEN_SPACE_AMBIENT_OCCLUSION"],
    &["MESH_PIPELINE", "TONEMAP_IN_SHADER", "TONEMAP_METHOD_TONY_MC_MAPFACE", "DEBAND_DITHER"],
    &["MESH_PIPELINE", "VISIBILITY_RANGE_DITHER"],
];
const PREPASSES: &[&[&str]] = &[
    // Shadows, with and without support for unclipped depth.
    &["PREPASS_PIPELINE", "DEPTH_PREPASS"],
    &["PREPASS_PIPELINE", "DEPTH_PREPASS", "UNCLIPPED_DEPTH_ORTHO_EMULATION", "PREPASS_FRAGMENT"],
    &["PREPASS_PIPELINE", "NORMAL_PREPASS", "NORMAL_PREPASS_OR_DEFERRED_PREPASS", "PREPASS_FRAGMENT"],
    &["PREPASS_PIPELINE", "MOTION_VECTOR_PREPASS", "MOTION_VECTOR_PREPASS_OR_DEFERRED_PREPASS", "PREPASS_FRAGMENT"],
    &["PREPASS_PIPELINE", "DEPTH_PREPASS", "VISIBILITY_RANGE_DITHER"],
];
const DEFERRED: &[&[&str]] = &[
    &["PREPASS_PIPELINE", "DEFERRED_PREPASS", "NORMAL_PREPASS_OR_DEFERRED_PREPASS", "PREPASS_FRAGMENT"],
    &[
        "PREPASS_PIPELINE",
        "DEFERRED_PREPASS",
        "DEPTH_PREPASS",
        "NORMAL_PREPASS",
        "NORMAL_PREPASS_OR_DEFERRED_PREPASS",
        "MOTION_VECTOR_PREPASS",
        "MOTION_VECTOR_PREPASS_OR_DEFERRED_PREPASS",
        "PREPASS_FRAGMENT",
    ],
];

/// The definitions of Bevy for every shader of a material.
const ALWAYS: [Definition; 9] = [
    ("MATERIAL_BIND_GROUP", Some(3)),
    ("MAX_RECT_LIGHTS", Some(8)),
    ("SCREEN_SPACE_SPECULAR_TRANSMISSION_BLUR_TAPS", Some(8)),
    ("SHADOW_FILTER_METHOD_HARDWARE_2X2", None),
    ("TONEMAPPING_LUT_SAMPLER_BINDING_INDEX", Some(19)),
    ("TONEMAPPING_LUT_TEXTURE_BINDING_INDEX", Some(18)),
    ("VERTEX_OUTPUT_INSTANCE_INDEX", None),
    ("VERTEX_POSITIONS", None),
    ("VIEW_PROJECTION_PERSPECTIVE", None),
];

/// A device with storage buffers, and a browser, which has none.
const DEVICES: [&[Definition]; 2] = [
    &[
        ("AVAILABLE_STORAGE_BUFFER_BINDINGS", Some(8)),
        ("AVAILABLE_STORAGE_BUFFER_BINDINGS__GE_3", None),
        ("AVAILABLE_STORAGE_BUFFER_BINDINGS__GE_6", None),
        ("CLUSTERED_DECALS_ARE_USABLE", None),
        ("IRRADIANCE_VOLUMES_ARE_USABLE", None),
        ("MAX_CASCADES_PER_LIGHT", Some(4)),
        ("MAX_DIRECTIONAL_LIGHTS", Some(10)),
        ("MULTIPLE_LIGHT_PROBES_IN_ARRAY", None),
    ],
    &[
        ("AVAILABLE_STORAGE_BUFFER_BINDINGS", Some(0)),
        ("MAX_CASCADES_PER_LIGHT", Some(1)),
        ("MAX_DIRECTIONAL_LIGHTS", Some(1)),
        ("METADATA_USE_UNIFORM_BUFFERS", None),
        ("NO_ARRAY_TEXTURES_SUPPORT", None),
        ("NO_CUBE_ARRAY_TEXTURES_SUPPORT", None),
        ("PER_OBJECT_BUFFER_BATCH_SIZE", Some(64)),
        ("SIXTEEN_BYTE_ALIGNMENT", None),
        ("WEBGL2", None),
    ],
];

/// The definitions of every pass on every device.
fn definitions(passes: &[&[&[&'static str]]]) -> Vec<Vec<Definition<'static>>> {
    let passes = passes.concat();
    let all = passes.iter().flat_map(|pass| DEVICES.map(|device| (pass, device)));
    all.map(|(pass, device)| {
        let of_pass = pass.iter().map(|&name| (name, None));
        ALWAYS.into_iter().chain(device.iter().copied()).chain(of_pass).collect()
    })
    .collect()
}

#[track_caller]
fn assert_valid(compiled: Result<String, String>, definitions: &[Definition]) {
    if let Err(error) = compiled {
        let names: Vec<_> = definitions.iter().map(|(name, _)| name).collect();
        panic!("{error}\nwith {names:?}");
    }
}

#[test]
fn the_vertex_shader_is_valid_in_every_pass() {
    for definitions in definitions(&[MAIN_PASSES, PREPASSES, DEFERRED]) {
        assert_valid(compile_module("morph_vertex", &definitions), &definitions);
    }
}

#[test]
fn the_fragment_shader_is_valid_in_every_pass_with_every_quality() {
    for pass in definitions(&[MAIN_PASSES, DEFERRED]) {
        for quality in TerrainQuality::ALL {
            let definitions: Vec<_> =
                pass.iter().copied().chain(quality.shader_definitions().iter().map(|&name| (name, None))).collect();
            assert_valid(compile_module("terrain", &definitions), &definitions);
        }
    }
}

#[test]
fn the_shaders_of_plants_are_valid_in_every_pass() {
    // A pass that may discard has a fragment shader also where it leaves nothing but depth.
    for definitions in definitions(&[MAIN_PASSES, PREPASSES]) {
        assert_valid(compile_module("plant_vertex", &definitions), &definitions);
        assert_valid(compile_module("plants", &definitions), &definitions);
    }
}

#[test]
fn the_shader_of_water_is_valid_in_every_pass_with_every_quality() {
    for pass in definitions(&[MAIN_PASSES]) {
        for quality in TerrainQuality::ALL {
            let definitions: Vec<_> =
                pass.iter().copied().chain(quality.shader_definitions().iter().map(|&name| (name, None))).collect();
            assert_valid(compile_module("water_surface", &definitions), &definitions);
            assert_valid(compile_module("water_vertex", &definitions), &definitions);
        }
    }
}

#[test]
fn the_shader_of_the_sky_is_valid_in_every_pass_with_every_quality_and_behind_an_atmosphere() {
    let methods: [&[&str]; 2] = [&[], &["SKY_IS_DOME"]];
    for (pass, method) in definitions(&[MAIN_PASSES]).iter().flat_map(|pass| methods.map(|method| (pass, method))) {
        for quality in TerrainQuality::ALL {
            let own = quality.shader_definitions().iter().chain(method).map(|&name| (name, None));
            let definitions: Vec<_> = pass.iter().copied().chain(own).collect();
            assert_valid(compile_module("sky_dome", &definitions), &definitions);
        }
    }
}

#[test]
fn the_shaders_in_the_docs_are_valid() {
    let docs = include_str!("../../../docs/games.md");
    let shaders: Vec<_> = docs.split("```wgsl\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!shaders.is_empty());
    for shader in shaders {
        let definitions = &definitions(&[MAIN_PASSES])[0];
        assert_valid(compile_text(shader, definitions), definitions);
    }
}

#[test]
fn a_game_can_import_everything_that_the_docs_name() {
    let shader = "
        import bevy_pbr::render::forward_io::{FragmentOutput, VertexOutput};
        import bevy_perlin_terrain::light::{light_at, sunlit_normal};
        import bevy_perlin_terrain::{morph::{ChunkPoint, morph_factor}, shared::VIEW_LOOK, terrain_uniform::terrain};

        @fragment
        fn fragment(in: VertexOutput, at: ChunkPoint) -> FragmentOutput {
            var out: FragmentOutput;
            let is_look = f32(terrain.view == VIEW_LOOK);
            let light = light_at(in.world_position.xyz);
            let normal = sunlit_normal(in.world_normal, in.world_position.xyz, light.sunlit);
            let wind = terrain.time_and_wind;
            out.color = light.open * is_look * morph_factor(at.level, in.world_position.xz) * vec4(normal, wind.x);
            return out;
        }";
    let definitions = &definitions(&[MAIN_PASSES])[0];
    assert_valid(compile_text(shader, definitions), definitions);
}

/// The error of a compute shader that begins with `text`.
fn error_of(text: &str) -> String {
    let main = "@compute @workgroup_size(1)\nfn main() { _ = half(); }";
    assert!(compile_text(&format!("fn half() -> f32 {{ return 0.5; }}\n{main}"), &ALWAYS).is_ok());
    compile_text(&format!("{text}\n{main}"), &ALWAYS).expect_err("it has a mistake")
}

#[test]
fn errors_name_the_file_and_the_line() {
    let syntax = error_of("// It ends with no semicolon.\nfn half() -> f32 { return 0.5 }");
    assert!(syntax.contains("shader.wesl:2:31"), "{syntax}");
    let types = error_of("// It is no real number.\nfn half() -> f32 { return 1u; }");
    assert!(types.contains("shader.wesl:2: in `half`"), "{types}");
}

#[test]
fn a_select_that_webgl_lacks_is_an_error() {
    let text = |kind| {
        let half = format!("fn half() -> f32 {{ return f32(select(a, a + a, b).x); }}\nvar<private> a: vec2<{kind}>;");
        format!("{half}\nvar<private> b: vec2<bool>;")
    };
    assert!(error_of(&text("u32")).contains("WebGL 2"));
    let main = "@compute @workgroup_size(1)\nfn main() { _ = half(); }";
    assert!(compile_text(&format!("{}\n{main}", text("f32")), &ALWAYS).is_ok());
}

#[test]
fn an_unknown_module_is_named() {
    let error =
        error_of("import bevy_perlin_terrain::patern_noise::random;\nfn half() -> f32 { return random(vec3(5)); }");
    assert!(error.contains("module not found: `bevy_perlin_terrain::patern_noise`"), "{error}");
}
