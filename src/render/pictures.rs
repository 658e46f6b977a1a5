//! Pictures of ground that take the place of the crate's own textures.

use crate::look::{GroundPictures, GroundTexture};
use bevy::asset::LoadState;
use bevy::image::TextureAccessError;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension};

/// The pictures in place of the crate's own textures.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    /// For each texture at most one that is loaded, and after it at most one that takes its place when it is loaded too.
    all: Vec<GroundPicture>,
    /// The paths that settings name.
    named: Vec<(GroundTexture, String)>,
}

#[derive(Debug)]
struct GroundPicture {
    texture: GroundTexture,
    image: Handle<Image>,
    state: PictureState,
}

/// What is known of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureState {
    Loading,
    Loaded,
    /// It is missing or can't be a texture, which the log says. The texture stays as it was.
    Refused,
}

impl Pictures {
    pub fn replace(&mut self, texture: GroundTexture, image: Handle<Image>) {
        self.all.retain(|picture| picture.texture != texture || picture.state == PictureState::Loaded);
        self.all.push(GroundPicture { texture, image, state: PictureState::Loading });
    }

    /// Forgets the pictures of a texture. Returns whether there were any.
    pub fn restore(&mut self, texture: GroundTexture) -> bool {
        let before = self.all.len();
        self.all.retain(|picture| picture.texture != texture);
        self.all.len() < before
    }

    pub fn are_loading(&self) -> bool {
        self.all.iter().any(|picture| picture.state == PictureState::Loading)
    }

    /// The pictures in use.
    pub fn loaded(&self, images: &Assets<Image>) -> Vec<(GroundTexture, Image)> {
        let loaded = self.all.iter().filter(|picture| picture.state == PictureState::Loaded);
        loaded.filter_map(|picture| Some((picture.texture, images.get(&picture.image)?.clone()))).collect()
    }

    /// Takes over the paths that settings name, the first one for each texture. Returns what changed: the new path of a texture,
    /// or `None` if it has none any more.
    pub fn follow<'a>(
        &mut self,
        settings: impl Iterator<Item = &'a GroundPictures> + Clone,
    ) -> Vec<(GroundTexture, Option<String>)> {
        let mut changes = Vec::new();
        for texture in GroundTexture::ALL {
            let mut paths = settings.clone().map(|pictures| pictures.path(texture)).filter(|path| !path.is_empty());
            let path = paths.next();
            let place = self.named.iter().position(|(of, _)| *of == texture);
            if path == place.map(|place| self.named[place].1.as_str()) {
                continue;
            }
            if let Some(other) = paths.find(|other| Some(*other) != path) {
                warn!(
                    "All terrains share the texture `{texture:?}`: it is not made from `{other}`, but from `{}`.",
                    path.unwrap_or_default()
                );
            }
            if let Some(place) = place {
                self.named.remove(place);
            }
            self.named.extend(path.map(|path| (texture, path.to_owned())));
            changes.push((texture, path.map(str::to_owned)));
        }
        changes
    }

    /// Notes which pictures were loaded, are in `changed`, or are missing. Returns whether some are new.
    pub fn watch(
        &mut self,
        images: &Assets<Image>,
        server: Option<&AssetServer>,
        changed: &HashSet<AssetId<Image>>,
    ) -> bool {
        let mut has_new = false;
        for GroundPicture { texture, image, state } in &mut self.all {
            let is_changed = changed.contains(&image.id());
            // A picture that is missing may still come.
            if *state == PictureState::Loaded && !is_changed {
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
                Some(_) if *state == PictureState::Refused && !is_changed => continue,
                Some(wrong) => {
                    let name = image.path().map_or_else(|| "a picture".to_owned(), |path| format!("`{path}`"));
                    error!(
                        "{name} can't be the texture `{texture:?}` of the ground: {wrong}. The texture stays as it was."
                    );
                    PictureState::Refused
                }
                None => {
                    has_new = true;
                    PictureState::Loaded
                }
            };
        }
        if has_new {
            // From the back, the first one of each texture is the newest.
            let mut seen = HashSet::new();
            let mut is_newest: Vec<bool> = (self.all.iter().rev())
                .map(|picture| picture.state != PictureState::Loaded || seen.insert(picture.texture as u32))
                .collect();
            self.all.retain(|_| is_newest.pop().unwrap_or(true));
        }
        has_new
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

#[cfg(test)]
mod tests {
    use super::super::material::TerrainMaterials;
    use super::super::texture_upload::Uploads;
    use super::super::textures::{GroundTextures, bake_textures, follow_settings, watch_pictures};
    use super::*;
    use crate::look::LookSettings;
    use crate::look::textures::TextureKind;
    use bevy::asset::RenderAssetUsages;
    use bevy::render::render_resource::TextureFormat;

    /// An app that bakes textures of 16 texels.
    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default())).init_asset::<Image>();
        let textures = GroundTextures::new(16, &mut app.world_mut().resource_mut::<Assets<Image>>());
        let card = |uploads: Res<Uploads>, mut images: ResMut<Assets<Image>>| uploads.finish(&mut images);
        app.insert_resource(textures).init_resource::<Uploads>();
        app.add_systems(Update, (follow_settings, watch_pictures, bake_textures, card).chain());
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
        let layer = data.len() / TextureKind::LAYERS[0];
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
    fn settings_name_pictures_and_drop_them_again() {
        let named = |rock: &str, snow: &str| GroundPictures {
            rock: rock.to_owned(),
            snow: snow.to_owned(),
            ..GroundPictures::default()
        };
        let mut pictures = Pictures::default();
        let mut follow = |settings: &[GroundPictures]| pictures.follow(settings.iter());
        assert_eq!(follow(&[GroundPictures::default()]), []);
        let rock = |path: &str| (GroundTexture::Rock, Some(path.to_owned()));
        assert_eq!(follow(&[named("a.png", "")]), [rock("a.png")]);
        assert_eq!(follow(&[named("a.png", "")]), [], "nothing changed");
        // The first terrain that names one counts.
        let snow = (GroundTexture::Snow, Some("b.png".to_owned()));
        assert_eq!(follow(&[named("a.png", ""), named("c.png", "b.png")]), [snow]);
        assert_eq!(follow(&[named("", ""), named("c.png", "b.png")]), [rock("c.png")]);
        assert_eq!(follow(&[]), [(GroundTexture::Rock, None), (GroundTexture::Snow, None)]);
    }

    #[test]
    fn textures_follow_the_pictures_of_a_terrain() {
        let mut app = app();
        let own = texels(&app);
        let pictures = GroundPictures { rock: "rock.png".to_owned(), ..GroundPictures::default() };
        let terrain = app.world_mut().spawn_empty().id();
        let look = |app: &mut App, pictures: GroundPictures| {
            let look = LookSettings { pictures, ..LookSettings::default() };
            app.world_mut().entity_mut(terrain).insert(TerrainMaterials {
                ground: Handle::default(),
                water: Handle::default(),
                look,
            });
            app.update();
        };
        look(&mut app, pictures);
        let textures = app.world().resource::<GroundTextures>();
        let rock = textures.pictures.all.first().expect("the settings name it").image.clone();
        assert!(!textures.are_complete() && rock.path().is_some_and(|path| path.to_string() == "rock.png"));
        // The file itself is not there.
        bake_all(&mut app);
        assert_eq!(texels(&app), own);
        // It comes.
        let picture = add_picture(&mut app, 16, [90; 4], TextureFormat::Rgba8UnormSrgb);
        let image = app.world().resource::<Assets<Image>>().get(&picture).expect("just added").clone();
        app.world_mut().resource_mut::<Assets<Image>>().insert(&rock, image).expect("its handle is alive");
        for _ in 0..3 {
            app.update();
        }
        bake_all(&mut app);
        let shown = texels(&app);
        assert!(shown[0] != own[0] && shown[1] == own[1]);
        // Another one is missing, and all textures are baked again: the last good one stays.
        look(&mut app, GroundPictures { rock: "no_such_picture.png".to_owned(), ..GroundPictures::default() });
        bake_all(&mut app);
        app.world_mut().resource_mut::<GroundTextures>().replace(GroundTexture::Snow, picture);
        bake_all(&mut app);
        assert_eq!(texels(&app), shown);
        // The settings name none any more.
        look(&mut app, GroundPictures::default());
        bake_all(&mut app);
        assert_eq!(texels(&app), own);
    }

    #[test]
    fn pictures_that_cannot_be_textures_change_nothing() {
        let mut app = app();
        let before = texels(&app);
        let missing = app.world().resource::<AssetServer>().load("no_such_picture.png");
        let small = add_picture(&mut app, 8, [90, 90, 90, 255], TextureFormat::Rgba8UnormSrgb);
        for picture in [small, missing] {
            replace(&mut app, &picture);
            assert_eq!(app.world().resource::<GroundTextures>().pictures.all[0].state, PictureState::Refused);
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
