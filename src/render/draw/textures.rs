//! Bakes the textures of the ground in the background.

use crate::render::GroundTexture;
use crate::render::textures::{Picture, TextureKind, TextureMips, mip_levels};
use bevy::asset::{LoadState, RenderAssetUsages};
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor, TextureAccessError};
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::tasks::futures_lite::future::yield_now;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

/// The textures of the ground: two texture arrays that all terrains share.
///
/// They are baked in the background, first small ones, then ones of the full size. Until then, ground has the plain colors of its
/// layers. A game can bake them from pictures of its own, with [`replace`](Self::replace).
#[derive(Resource, Debug)]
pub struct GroundTextures {
    pub(super) images: TextureImages,
    /// The full size, in texels. 0 without textures.
    size: u32,
    /// The sizes to come, in texels.
    sizes: Vec<u32>,
    task: Option<Task<[Image; 2]>>,
    /// The pictures of the game, each with what is known of it.
    pictures: Vec<(GroundTexture, Handle<Image>, PictureState)>,
}

/// What is known of a picture of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureState {
    Loading,
    Loaded,
    /// It is missing or can't be a texture, which the log says. The texture stays as it was.
    Refused,
}

/// The images of the textures: factors of the color with the height, and slopes with roughness and openness.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextureImages {
    pub color: Handle<Image>,
    pub relief: Handle<Image>,
}

impl GroundTextures {
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
        let plain = [[128, 128, 128, 128], [128, 128, 235, 255]];
        let [color, relief] = plain.map(|texel| images.add(array(1, texel.repeat(TextureKind::ALL.len()))));
        Self { images: TextureImages { color, relief }, size, sizes, task: None, pictures: Vec::new() }
    }

    /// Bakes a texture from a picture of ground from above, in place of the crate's own: `replace(GroundTexture::Rock,
    /// assets.load("textures/rock.png"))`. All textures are baked again in the background when it is loaded, and whenever it
    /// changes.
    ///
    /// The picture fills a tile of 2.9 m and should go on at its opposite side. Its variations count, not its color: that is the
    /// color of the layer. Its alpha is the height of the ground. Without alpha, bright ground is high.
    ///
    /// A picture has 16 to 4096 pixels along each side and no compression of graphics cards, and the main world keeps it, as
    /// Bevy's image loader does by default. Any other one, or one that does not load, changes nothing, and the log says why.
    pub fn replace(&mut self, texture: GroundTexture, picture: Handle<Image>) {
        self.pictures.retain(|(of, ..)| *of != texture);
        self.pictures.push((texture, picture, PictureState::Loading));
    }

    /// Whether the textures have their full size, and the pictures of the game are in them.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        let is_loading = self.pictures.iter().any(|(.., state)| *state == PictureState::Loading);
        self.sizes.is_empty() && self.task.is_none() && !is_loading
    }

    /// The pictures in use.
    fn loaded_pictures(&self, images: &Assets<Image>) -> Vec<(GroundTexture, Image)> {
        let loaded = self.pictures.iter().filter(|(.., state)| *state == PictureState::Loaded);
        loaded.filter_map(|(texture, picture, _)| Some((*texture, images.get(picture)?.clone()))).collect()
    }
}

/// Why an image can't be the picture of a texture. `None` if it can.
fn refusal(image: &Image) -> Option<String> {
    let UVec3 { x: width, y: height, z: layers } = image_size(image);
    let allowed = 16..=4096;
    if image.texture_descriptor.dimension != TextureDimension::D2 || layers != 1 {
        return Some(format!("it has {layers} layers; a picture has one"));
    }
    if !allowed.contains(&width) || !allowed.contains(&height) {
        return Some(format!("it has {width} by {height} pixels; allowed are 16 to 4096 along each side"));
    }
    match image.get_color_at(0, 0) {
        Ok(_) => None,
        Err(TextureAccessError::Uninitialized) => {
            Some("its pixels are only on the graphics card; load it for the main world too".to_owned())
        }
        Err(_) => {
            let format = image.texture_descriptor.format;
            Some(format!("its format is {format:?}; use one without the compression of graphics cards, such as PNG"))
        }
    }
}

fn image_size(image: &Image) -> UVec3 {
    let Extent3d { width, height, depth_or_array_layers } = image.texture_descriptor.size;
    UVec3::new(width, height, depth_or_array_layers)
}

/// Notes which pictures of the game were loaded, were changed or are missing, and plans to bake the textures again.
pub(super) fn watch_pictures(
    mut textures: ResMut<GroundTextures>,
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
    let mut is_new = false;
    for (texture, picture, state) in &mut textures.pictures {
        let is_changed = changed.contains(&picture.id());
        if *state != PictureState::Loading && !is_changed {
            continue;
        }
        let name = picture.path().map_or_else(|| "a picture".to_owned(), |path| format!("`{path}`"));
        let failed = server.as_ref().and_then(|server| match server.get_load_state(picture.id()) {
            Some(LoadState::Failed(error)) => Some(error.to_string()),
            _ => None,
        });
        let wrong = match images.get(&*picture) {
            Some(image) => refusal(image),
            None if failed.is_some() => failed,
            None => continue,
        };
        *state = match wrong {
            Some(wrong) => {
                error!(
                    "{name} can't be the texture `{texture:?}` of the ground: {wrong}. The texture stays as it was."
                );
                PictureState::Refused
            }
            None => {
                is_new = true;
                PictureState::Loaded
            }
        };
    }
    if is_new && textures.size > 0 {
        // A task without the new picture is of no use. The first small textures may still be to come.
        textures.task = None;
        if textures.sizes.is_empty() {
            textures.sizes.push(textures.size);
        }
    }
}

/// Bakes all textures with a side of `size` texels, those of `pictures` from them.
async fn bake(size: u32, pictures: Vec<(GroundTexture, Image)>) -> [Image; 2] {
    let mut layers: Vec<TextureMips> = Vec::new();
    for kind in TextureKind::ALL {
        let picture = pictures.iter().find(|(texture, _)| kind == TextureKind::CloseUp(*texture));
        layers.push(picture.map_or_else(|| kind.bake(size as usize), |(_, image)| bake_picture(image, size as usize)));
        // Chunks of ground are more urgent.
        yield_now().await;
    }
    let joined = |part: fn(&TextureMips) -> &[u8]| layers.iter().flat_map(part).copied().collect();
    [array(size, joined(|mips| &mips.color)), array(size, joined(|mips| &mips.relief))]
}

fn bake_picture(image: &Image, size: usize) -> TextureMips {
    let pixel = |x: usize, y: usize| {
        // A picture was accepted because its pixels can be read.
        let color = image.get_color_at(x as u32, y as u32).unwrap_or_default();
        color.to_linear().to_f32_array()
    };
    Picture { size: [image.width(), image.height()].map(|side| side as usize), pixel }.bake(size)
}

/// A texture array with all mip levels.
fn array(size: u32, texels: Vec<u8>) -> Image {
    let extent = Extent3d { width: size, height: size, depth_or_array_layers: TextureKind::ALL.len() as u32 };
    let format = TextureFormat::Rgba8Unorm;
    let mut image = Image::new_uninit(extent, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.mip_level_count = mip_levels(size as usize);
    image.data = Some(texels);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        label: Some("ground textures".into()),
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: 16,
        ..default()
    });
    image
}

/// Bakes what is missing, and gives it to all materials when it is whole.
pub(super) fn bake_textures(mut textures: ResMut<GroundTextures>, mut images: ResMut<Assets<Image>>) {
    if let Some(task) = &mut textures.bypass_change_detection().task {
        let Some(baked) = block_on(poll_once(task)) else { return };
        let [color, relief] = baked.map(|image| images.add(image));
        textures.task = None;
        textures.images = TextureImages { color, relief };
    }
    if let Some(size) = textures.bypass_change_detection().sizes.pop() {
        let pictures = textures.loaded_pictures(&images);
        textures.bypass_change_detection().task = Some(AsyncComputeTaskPool::get().spawn(bake(size, pictures)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An app that bakes textures of 16 texels.
    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default())).init_asset::<Image>();
        let textures = GroundTextures::new(16, &mut app.world_mut().resource_mut::<Assets<Image>>());
        app.insert_resource(textures).add_systems(Update, (watch_pictures, bake_textures).chain());
        bake_all(&mut app);
        app
    }

    fn bake_all(app: &mut App) {
        for _ in 0..1_000_000 {
            app.update();
            if app.world().resource::<GroundTextures>().are_complete() {
                return;
            }
            std::thread::yield_now();
        }
        panic!("the textures are not complete");
    }

    fn add_picture(app: &mut App, side: u32, texel: [u8; 4], format: TextureFormat) -> Handle<Image> {
        let extent = Extent3d { width: side, height: side, depth_or_array_layers: 1 };
        let mut image = Image::new_fill(extent, TextureDimension::D2, &texel, format, RenderAssetUsages::all());
        // A spot, so that it is not even.
        if let Some(first) = image.data.as_mut().and_then(|data| data.first_mut()) {
            *first = 255 - *first;
        }
        app.world_mut().resource_mut::<Assets<Image>>().add(image)
    }

    fn replace(app: &mut App, picture: &Handle<Image>) {
        app.world_mut().resource_mut::<GroundTextures>().replace(GroundTexture::Rock, picture.clone());
        bake_all(app);
    }

    /// The finest texels of the texture of rock, and those of sand.
    fn texels(app: &App) -> [Vec<u8>; 2] {
        let color = &app.world().resource::<GroundTextures>().images.color;
        let data = app.world().resource::<Assets<Image>>().get(color).and_then(|image| image.data.as_ref());
        let data = data.expect("nothing takes it to a graphics card here");
        let layer = data.len() / TextureKind::ALL.len();
        [GroundTexture::Rock, GroundTexture::Sand].map(|texture| data[layer * texture as usize..][..4 * 256].to_vec())
    }

    #[test]
    fn pictures_of_a_game_replace_textures_and_follow_changes() {
        let mut app = app();
        let [own, sand] = texels(&app);
        let picture = add_picture(&mut app, 16, [90, 90, 90, 255], TextureFormat::Rgba8UnormSrgb);
        replace(&mut app, &picture);
        let [first, same_sand] = texels(&app);
        assert!(first != own && same_sand == sand);
        assert_eq!(first[40..42], first[80..82], "the picture is even there");
        if let Some(mut image) = app.world_mut().resource_mut::<Assets<Image>>().get_mut(&picture)
            && let Some(data) = image.data.as_mut()
        {
            data[40] = 255;
        }
        // The change is known in one of the next frames.
        for _ in 0..3 {
            app.update();
        }
        bake_all(&mut app);
        assert_ne!(texels(&app)[0], first);
    }

    #[test]
    fn pictures_that_cannot_be_textures_change_nothing() {
        let mut app = app();
        let before = texels(&app);
        let missing = app.world().resource::<AssetServer>().load("no_such_picture.png");
        let small = add_picture(&mut app, 8, [90, 90, 90, 255], TextureFormat::Rgba8UnormSrgb);
        for picture in [small, missing] {
            replace(&mut app, &picture);
            assert_eq!(app.world().resource::<GroundTextures>().pictures[0].2, PictureState::Refused);
            assert_eq!(texels(&app), before);
        }
        let wrong =
            |picture: &Handle<Image>, app: &App| app.world().resource::<Assets<Image>>().get(picture).and_then(refusal);
        let tall = Extent3d { width: 64, height: 64, depth_or_array_layers: 2 };
        let format = TextureFormat::Rgba8UnormSrgb;
        let layers = Image::new_fill(tall, TextureDimension::D2, &[9; 4], format, RenderAssetUsages::all());
        assert_eq!(refusal(&layers).as_deref(), Some("it has 2 layers; a picture has one"));
        let mut compressed = Image::new_fill(
            Extent3d { depth_or_array_layers: 1, ..tall },
            TextureDimension::D2,
            &[9; 4],
            format,
            RenderAssetUsages::all(),
        );
        compressed.texture_descriptor.format = TextureFormat::Bc1RgbaUnormSrgb;
        let why = refusal(&compressed).expect("it is compressed");
        assert!(why.starts_with("its format is Bc1RgbaUnormSrgb; use one"), "{why}");
        let mut only_on_the_card = Image { data: None, ..layers };
        only_on_the_card.texture_descriptor.size.depth_or_array_layers = 1;
        assert!(refusal(&only_on_the_card).is_some_and(|why| why.contains("main world")));
        let good = add_picture(&mut app, 16, [90; 4], format);
        assert_eq!(wrong(&good, &app), None);
    }
}
