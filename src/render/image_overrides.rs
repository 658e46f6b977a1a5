//! Images of ground that take the place of the crate's own textures.

use crate::look::{SurfaceImages, SurfaceTexture};
use bevy::asset::LoadState;
use bevy::image::TextureAccessError;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension};

/// The images in place of the crate's own textures.
#[derive(Debug, Default)]
pub(super) struct ImageOverrides {
    /// For each texture at most one that is loaded, and after it at most one that takes its place when it is loaded too.
    all: Vec<ImageOverride>,
    /// The paths that settings name.
    named: Vec<(SurfaceTexture, String)>,
}

#[derive(Debug)]
struct ImageOverride {
    texture: SurfaceTexture,
    image: Handle<Image>,
    state: OverrideState,
}

/// The state of an image that replaces a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OverrideState {
    Loading,
    Loaded,
    /// It is missing or can't be a texture. The log has the reason. The texture stays as it was.
    Refused,
}

impl ImageOverrides {
    pub fn replace(&mut self, texture: SurfaceTexture, image: Handle<Image>) {
        self.all.retain(|entry| entry.texture != texture || entry.state == OverrideState::Loaded);
        self.all.push(ImageOverride { texture, image, state: OverrideState::Loading });
    }

    /// Forgets the images of a texture. Returns whether there were any.
    pub fn restore(&mut self, texture: SurfaceTexture) -> bool {
        let before = self.all.len();
        self.all.retain(|entry| entry.texture != texture);
        self.all.len() < before
    }

    pub fn are_loading(&self) -> bool {
        self.all.iter().any(|entry| entry.state == OverrideState::Loading)
    }

    /// The images in use.
    pub fn loaded(&self, images: &Assets<Image>) -> Vec<(SurfaceTexture, Image)> {
        let loaded = self.all.iter().filter(|entry| entry.state == OverrideState::Loaded);
        loaded.filter_map(|entry| Some((entry.texture, images.get(&entry.image)?.clone()))).collect()
    }

    /// Takes over the paths that settings name, the first one for each texture. Returns what changed: the new path of a texture,
    /// or `None` if it has none any more.
    pub fn follow<'a>(
        &mut self,
        settings: impl Iterator<Item = &'a SurfaceImages> + Clone,
    ) -> Vec<(SurfaceTexture, Option<String>)> {
        let mut changes = Vec::new();
        for texture in SurfaceTexture::ALL {
            let mut paths = settings.clone().map(|images| images.path(texture)).filter(|path| !path.is_empty());
            let path = paths.next();
            let index = self.named.iter().position(|(of, _)| *of == texture);
            if path == index.map(|index| self.named[index].1.as_str()) {
                continue;
            }
            if let Some(other) = paths.find(|other| Some(*other) != path) {
                warn!(
                    "All terrains share the texture `{texture:?}`: it is not made from `{other}`, but from `{}`.",
                    path.unwrap_or_default()
                );
            }
            if let Some(index) = index {
                self.named.remove(index);
            }
            self.named.extend(path.map(|path| (texture, path.to_owned())));
            changes.push((texture, path.map(str::to_owned)));
        }
        changes
    }

    /// Notes which images were loaded, are in `changed`, or are missing. Returns whether some are new.
    pub fn watch(
        &mut self,
        images: &Assets<Image>,
        server: Option<&AssetServer>,
        changed: &HashSet<AssetId<Image>>,
    ) -> bool {
        let mut has_new = false;
        for ImageOverride { texture, image, state } in &mut self.all {
            let is_changed = changed.contains(&image.id());
            // A missing image may load later.
            if *state == OverrideState::Loaded && !is_changed {
                continue;
            }
            let failed = server.and_then(|server| match server.get_load_state(image.id()) {
                Some(LoadState::Failed(error)) => Some(error.to_string()),
                _ => None,
            });
            let wrong = match images.get(&*image) {
                Some(image) => refusal(image),
                None if failed.is_some() => failed,
                None => continue,
            };
            *state = match wrong {
                Some(_) if *state == OverrideState::Refused && !is_changed => continue,
                Some(wrong) => {
                    let name = image.path().map_or_else(|| "an image".to_owned(), |path| format!("`{path}`"));
                    error!(
                        "{name} can't be the texture `{texture:?}` of the ground: {wrong}. The texture stays as it was."
                    );
                    OverrideState::Refused
                }
                None => {
                    has_new = true;
                    OverrideState::Loaded
                }
            };
        }
        if has_new {
            // From the back, the first one of each texture is the newest.
            let mut seen = HashSet::new();
            let mut is_newest: Vec<bool> = (self.all.iter().rev())
                .map(|entry| entry.state != OverrideState::Loaded || seen.insert(entry.texture as u32))
                .collect();
            self.all.retain(|_| is_newest.pop().unwrap_or(true));
        }
        has_new
    }
}

/// Why an image can't replace a texture. `None` if it can.
fn refusal(image: &Image) -> Option<String> {
    let UVec3 { x: width, y: height, z: layers } = image_size(image);
    let allowed = 16..=4096;
    if image.texture_descriptor.dimension != TextureDimension::D2 || layers != 1 {
        return Some(format!("it has {layers} layers; an image has one"));
    }
    if !allowed.contains(&width) || !allowed.contains(&height) {
        return Some(format!("it has {width} by {height} pixels; allowed are 16 to 4096 along each side"));
    }
    match image.get_color_at(0, 0) {
        Ok(_) => None,
        Err(TextureAccessError::Uninitialized) => {
            Some("its pixels are only on the GPU; load it for the main world too".to_owned())
        }
        Err(_) => {
            let format = image.texture_descriptor.format;
            Some(format!("its format is {format:?}; use one without GPU compression, such as PNG"))
        }
    }
}

fn image_size(image: &Image) -> UVec3 {
    let Extent3d { width, height, depth_or_array_layers } = image.texture_descriptor.size;
    UVec3::new(width, height, depth_or_array_layers)
}

#[cfg(test)]
mod tests {
    use super::super::shown_look::ShownLook;
    use super::super::surface_textures::{SurfaceTextures, bake_textures, follow_settings, watch_images};
    use super::super::texture_upload::Uploads;
    use super::*;
    use crate::look::LookSettings;
    use crate::look::textures::TextureKind;
    use bevy::asset::RenderAssetUsages;
    use bevy::render::render_resource::TextureFormat;

    /// An app that bakes textures of 16 texels.
    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default())).init_asset::<Image>();
        let textures = SurfaceTextures::new(16, &mut app.world_mut().resource_mut::<Assets<Image>>());
        let upload = |uploads: Res<Uploads>, mut images: ResMut<Assets<Image>>| uploads.finish(&mut images);
        app.insert_resource(textures).init_resource::<Uploads>();
        app.add_systems(Update, (follow_settings, watch_images, bake_textures, upload).chain());
        bake_all(&mut app);
        app
    }

    fn bake_all(app: &mut App) {
        for _ in 0..1_000_000 {
            app.update();
            if app.world().resource::<SurfaceTextures>().are_complete() {
                return;
            }
            std::thread::yield_now();
        }
        panic!("the textures are not complete");
    }

    fn add_image(app: &mut App, side: u32, texel: [u8; 4], format: TextureFormat) -> Handle<Image> {
        let extent = Extent3d { width: side, height: side, depth_or_array_layers: 1 };
        let mut image = Image::new_fill(extent, TextureDimension::D2, &texel, format, RenderAssetUsages::all());
        // A spot, so that it is not even.
        if let Some(first) = image.data.as_mut().and_then(|data| data.first_mut()) {
            *first = 255 - *first;
        }
        app.world_mut().resource_mut::<Assets<Image>>().add(image)
    }

    fn replace(app: &mut App, image: &Handle<Image>) {
        app.world_mut().resource_mut::<SurfaceTextures>().replace(SurfaceTexture::Rock, image.clone());
        bake_all(app);
    }

    /// The finest texels of the texture of rock, and those of sand.
    fn texels(app: &App) -> [Vec<u8>; 2] {
        let color = &app.world().resource::<SurfaceTextures>().images.color;
        let data = app.world().resource::<Assets<Image>>().get(color).and_then(|image| image.data.as_ref());
        let data = data.expect("nothing takes it to a GPU here");
        let layer = data.len() / TextureKind::LAYERS[0];
        [SurfaceTexture::Rock, SurfaceTexture::Sand].map(|texture| data[layer * texture as usize..][..4 * 256].to_vec())
    }

    #[test]
    fn images_of_a_game_replace_textures_and_follow_changes() {
        let mut app = app();
        let [own, sand] = texels(&app);
        let image = add_image(&mut app, 16, [90, 90, 90, 255], TextureFormat::Rgba8UnormSrgb);
        replace(&mut app, &image);
        let [first, same_sand] = texels(&app);
        assert!(first != own && same_sand == sand);
        assert_eq!(first[40..42], first[80..82], "the image is even there");
        if let Some(mut image) = app.world_mut().resource_mut::<Assets<Image>>().get_mut(&image)
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
    fn settings_name_images_and_drop_them_again() {
        let named = |rock: &str, snow: &str| SurfaceImages {
            rock: rock.to_owned(),
            snow: snow.to_owned(),
            ..SurfaceImages::default()
        };
        let mut images = ImageOverrides::default();
        let mut follow = |settings: &[SurfaceImages]| images.follow(settings.iter());
        assert_eq!(follow(&[SurfaceImages::default()]), []);
        let rock = |path: &str| (SurfaceTexture::Rock, Some(path.to_owned()));
        assert_eq!(follow(&[named("a.png", "")]), [rock("a.png")]);
        assert_eq!(follow(&[named("a.png", "")]), [], "nothing changed");
        // The first terrain that names one counts.
        let snow = (SurfaceTexture::Snow, Some("b.png".to_owned()));
        assert_eq!(follow(&[named("a.png", ""), named("c.png", "b.png")]), [snow]);
        assert_eq!(follow(&[named("", ""), named("c.png", "b.png")]), [rock("c.png")]);
        assert_eq!(follow(&[]), [(SurfaceTexture::Rock, None), (SurfaceTexture::Snow, None)]);
    }

    #[test]
    fn textures_follow_the_images_of_a_terrain() {
        let mut app = app();
        let own = texels(&app);
        let images = SurfaceImages { rock: "rock.png".to_owned(), ..SurfaceImages::default() };
        let terrain = app.world_mut().spawn_empty().id();
        let look = |app: &mut App, images: SurfaceImages| {
            let look = LookSettings { images, ..LookSettings::default() };
            app.world_mut().entity_mut(terrain).insert(ShownLook(look));
            app.update();
        };
        look(&mut app, images);
        let textures = app.world().resource::<SurfaceTextures>();
        let rock = textures.overrides.all.first().expect("the settings name it").image.clone();
        assert!(!textures.are_complete() && rock.path().is_some_and(|path| path.to_string() == "rock.png"));
        // The file itself is not there.
        bake_all(&mut app);
        assert_eq!(texels(&app), own);
        // Now it exists.
        let handle = add_image(&mut app, 16, [90; 4], TextureFormat::Rgba8UnormSrgb);
        let image = app.world().resource::<Assets<Image>>().get(&handle).expect("just added").clone();
        app.world_mut().resource_mut::<Assets<Image>>().insert(&rock, image).expect("its handle is alive");
        for _ in 0..3 {
            app.update();
        }
        bake_all(&mut app);
        let shown = texels(&app);
        assert!(shown[0] != own[0] && shown[1] == own[1]);
        // Another one is missing, and all textures are baked again: the last good one stays.
        look(&mut app, SurfaceImages { rock: "no_such_image.png".to_owned(), ..SurfaceImages::default() });
        bake_all(&mut app);
        app.world_mut().resource_mut::<SurfaceTextures>().replace(SurfaceTexture::Snow, handle);
        bake_all(&mut app);
        assert_eq!(texels(&app), shown);
        // The settings name none any more.
        look(&mut app, SurfaceImages::default());
        bake_all(&mut app);
        assert_eq!(texels(&app), own);
    }

    #[test]
    fn images_that_cannot_be_textures_change_nothing() {
        let mut app = app();
        let before = texels(&app);
        let missing = app.world().resource::<AssetServer>().load("no_such_image.png");
        let small = add_image(&mut app, 8, [90, 90, 90, 255], TextureFormat::Rgba8UnormSrgb);
        for image in [small, missing] {
            replace(&mut app, &image);
            assert_eq!(app.world().resource::<SurfaceTextures>().overrides.all[0].state, OverrideState::Refused);
            assert_eq!(texels(&app), before);
        }
        let wrong =
            |image: &Handle<Image>, app: &App| app.world().resource::<Assets<Image>>().get(image).and_then(refusal);
        let tall = Extent3d { width: 64, height: 64, depth_or_array_layers: 2 };
        let format = TextureFormat::Rgba8UnormSrgb;
        let layers = Image::new_fill(tall, TextureDimension::D2, &[9; 4], format, RenderAssetUsages::all());
        assert_eq!(refusal(&layers).as_deref(), Some("it has 2 layers; an image has one"));
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
        let mut only_on_the_gpu = Image { data: None, ..layers };
        only_on_the_gpu.texture_descriptor.size.depth_or_array_layers = 1;
        assert!(refusal(&only_on_the_gpu).is_some_and(|why| why.contains("main world")));
        let good = add_image(&mut app, 16, [90; 4], format);
        assert_eq!(wrong(&good, &app), None);
    }
}
