//! Bakes the textures of the ground in the background.

use super::image_overrides::ImageOverrides;
use super::material::TextureImages;
use super::quality::draws_on_processor;
use super::shown_look::ShownLook;
use super::texture_array::array_layers;
use super::texture_upload::{TextureUpload, Uploads};
use crate::look::textures::{SourceImage, TextureKind, TextureMips, mip_levels};
use crate::look::{SurfaceImages, SurfaceTexture};
use crate::stream::Background;
use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::render::renderer::RenderAdapterInfo;
use bevy::tasks::futures_lite::future::yield_now;

/// The textures of the ground: two texture arrays that all terrains share.
///
/// They are baked in the background, first small ones, then ones of the full size. Until then, ground has the plain colors of its
/// layers. A game can bake them from images of its own, with [`replace`](Self::replace), or settings
/// name them in [`LookSettings::images`](crate::look::LookSettings::images).
#[derive(Resource, Debug)]
pub struct SurfaceTextures {
    pub(super) images: TextureImages,
    /// The full size, in texels. 0 without textures.
    size: u32,
    /// The sizes to come, in texels.
    sizes: Vec<u32>,
    task: Background<TextureUpload>,
    /// The images that are being uploaded.
    next: Option<TextureImages>,
    pub(super) overrides: ImageOverrides,
}

impl SurfaceTextures {
    /// The size that is baked first, in texels.
    const FIRST_SIZE: u32 = 256;

    /// Textures of one texel each, with the plain colors of the layers, and a plan to bake some with a side of `size` texels.
    pub(super) fn new(size: u32, images: &mut Assets<Image>) -> Self {
        let size = if size > 0 { size.clamp(16, 2048).next_power_of_two() } else { 0 };
        let sizes = match size {
            0 => Vec::new(),
            size if size > Self::FIRST_SIZE => vec![size, Self::FIRST_SIZE],
            size => vec![size],
        };
        let [close_up, all] = TextureKind::LAYERS;
        let plain = [128; 4];
        let rough = [128, 128, 235, 255].repeat(close_up);
        let images =
            arrays(1, 1, [plain.repeat(close_up), [rough, plain.repeat(all - close_up)].concat()].map(Some), images);
        Self { images, size, sizes, task: Background::default(), next: None, overrides: ImageOverrides::default() }
    }

    /// Bakes a texture from an image of ground from above, in place of the crate's own: `replace(SurfaceTexture::Rock,
    /// assets.load("textures/rock.png"))`. All textures are baked again in the background when it is loaded, and whenever it
    /// changes.
    ///
    /// The image fills a tile of 2.9 m and should go on at its opposite side. Its variations count, not its color: that is the
    /// color of the layer. Its alpha is the height of the ground. Without alpha, bright ground is high.
    ///
    /// An image has 16 to 4096 pixels along each side and no GPU compression, and the main world keeps it, as
    /// Bevy's image loader does by default. Any other one, or one that does not load, changes nothing, and the log says why.
    pub fn replace(&mut self, texture: SurfaceTexture, image: Handle<Image>) {
        self.overrides.replace(texture, image);
    }

    /// Bakes the crate's own texture again, in place of the image of [`replace`](Self::replace).
    pub fn restore(&mut self, texture: SurfaceTexture) {
        if self.overrides.restore(texture) {
            self.bake_again();
        }
    }

    /// Whether the textures have their full size, and the images of the game are in them.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.sizes.is_empty() && !self.task.is_running() && self.next.is_none() && !self.overrides.are_loading()
    }

    /// Plans to bake all textures again.
    fn bake_again(&mut self) {
        if self.size == 0 {
            return;
        }
        // Textures with the old images are not needed. The first small ones may not be baked yet.
        (self.task, self.next) = (Background::default(), None);
        if self.sizes.is_empty() {
            self.sizes.push(self.size);
        }
    }
}

/// Notes which images were loaded, were changed or are missing, and plans to bake the textures again.
pub(super) fn watch_images(
    mut textures: ResMut<SurfaceTextures>,
    images: Res<Assets<Image>>,
    server: Option<Res<AssetServer>>,
    mut changes: MessageReader<AssetEvent<Image>>,
) {
    let changed: HashSet<AssetId<Image>> = changes
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    let textures = textures.bypass_change_detection();
    if textures.overrides.watch(&images, server.as_deref(), &changed) {
        textures.bake_again();
    }
}

/// Follows the images that the settings of terrains name.
pub(super) fn follow_settings(
    mut textures: ResMut<SurfaceTextures>,
    changed: Query<(), Changed<ShownLook>>,
    mut removed: RemovedComponents<ShownLook>,
    terrains: Query<(Entity, &ShownLook)>,
    server: Option<Res<AssetServer>>,
) {
    // Without textures, images need not be loaded.
    let server = server.filter(|_| textures.size > 0 && (removed.read().count() > 0 || !changed.is_empty()));
    let Some(server) = server else { return };
    let mut named: Vec<(Entity, &SurfaceImages)> =
        terrains.iter().map(|(terrain, look)| (terrain, &look.0.images)).collect();
    named.sort_by_key(|(terrain, _)| *terrain);
    let textures = textures.bypass_change_detection();
    for (texture, path) in textures.overrides.follow(named.into_iter().map(|(_, images)| images)) {
        match path {
            Some(path) => textures.replace(texture, server.load(path)),
            None => textures.restore(texture),
        }
    }
}

/// Bakes all textures with a side of `size` texels, those of `images` from them.
async fn bake(size: u32, images: Vec<(SurfaceTexture, Image)>) -> TextureUpload {
    let mut layers: Vec<TextureMips> = Vec::new();
    for kind in TextureKind::ALL {
        let image = images.iter().find(|(texture, _)| kind == TextureKind::CloseUp(*texture));
        layers.push(image.map_or_else(|| kind.bake(size as usize), |(_, image)| bake_image(image, size as usize)));
        // Chunks of ground are more urgent.
        yield_now().await;
    }
    let joined = |part: fn(&TextureMips) -> &[u8]| layers.iter().flat_map(part).copied().collect();
    let texels = [joined(|mips| &mips.color), joined(|mips| &mips.relief)];
    let numbers = TextureKind::LAYERS.map(|layers| 0..layers as u32);
    TextureUpload::new(size, mip_levels(size as usize), numbers, texels)
}

fn bake_image(image: &Image, size: usize) -> TextureMips {
    let pixel = |x: usize, y: usize| {
        // An image was accepted because its pixels can be read.
        let color = image.get_color_at(x as u32, y as u32).unwrap_or_default();
        color.to_linear().to_f32_array()
    };
    SourceImage { size: [image.width(), image.height()].map(|side| side as usize), pixel }.bake(size)
}

/// Both texture arrays. Without texels, they are uploaded later.
fn arrays(
    size: u32,
    anisotropy: u16,
    [color, relief]: [Option<Vec<u8>>; 2],
    images: &mut Assets<Image>,
) -> TextureImages {
    let [colors, reliefs] = TextureKind::LAYERS;
    TextureImages {
        color: images.add(array(size, anisotropy, colors, color)),
        relief: images.add(array(size, anisotropy, reliefs, relief)),
    }
}

/// A texture array with all mip levels.
fn array(size: u32, anisotropy: u16, layers: usize, texels: Option<Vec<u8>>) -> Image {
    let all_layers = array_layers(layers as u32);
    let extent = Extent3d { width: size, height: size, depth_or_array_layers: all_layers };
    let format = TextureFormat::Rgba8Unorm;
    let mut image = Image::new_uninit(extent, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.mip_level_count = mip_levels(size as usize);
    image.data = texels.map(|mut texels| {
        texels.resize(texels.len() / layers * all_layers as usize, 0);
        texels
    });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        label: Some("ground textures".into()),
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: anisotropy,
        ..default()
    });
    image
}

/// Bakes what is missing, and gives it to all materials when it is on the GPU.
pub(super) fn bake_textures(
    mut textures: ResMut<SurfaceTextures>,
    mut images: ResMut<Assets<Image>>,
    uploads: Res<Uploads>,
    adapter: Option<Res<RenderAdapterInfo>>,
) {
    let unseen = textures.bypass_change_detection();
    if unseen.task.is_running() {
        let Some(baked) = unseen.task.take() else { return };
        // A GPU resolves ground at a grazing angle for free. A driver that draws on the processor takes several times as long.
        let is_slow = adapter.is_some_and(|adapter| draws_on_processor(adapter.device_type));
        let anisotropy = if is_slow { 1 } else { 16 };
        let next = arrays(baked.size(), anisotropy, [None, None], &mut images);
        uploads.start(baked, [next.color.id(), next.relief.id()]);
        unseen.next = Some(next);
    }
    if unseen.next.is_some() {
        if uploads.are_running() {
            return;
        }
        if let Some(next) = textures.next.take() {
            textures.images = next;
        }
    }
    let unseen = textures.bypass_change_detection();
    if let Some(size) = unseen.sizes.pop() {
        let images = unseen.overrides.loaded(&images);
        unseen.task = Background::start_steps(bake(size, images));
    }
}
