//! The number of layers of texture arrays.

/// The number of layers of a texture array that needs so many.
///
/// In WebGL 2, wgpu chooses the kind of a texture by its layers alone: one is no array, and each sixth number is a cube. A shader that reads
/// an array finds nothing there. So browsers get a layer more.
pub(super) const fn array_layers(layers: u32) -> u32 {
    if cfg!(target_family = "wasm") { layers_in_webgl(layers) } else { layers }
}

const fn layers_in_webgl(layers: u32) -> u32 {
    match layers {
        0 | 1 => 2,
        _ if layers.is_multiple_of(6) => layers + 1,
        _ => layers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_webgl_no_array_has_the_layers_of_a_single_texture_or_of_cubes() {
        assert_eq!([1, 2, 5, 6, 7, 8, 12, 16, 252].map(layers_in_webgl), [2, 2, 5, 7, 7, 8, 13, 16, 253]);
    }
}
