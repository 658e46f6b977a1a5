//! Problems and warnings of settings files.

use super::*;

#[test]
fn reload_keeps_the_last_good_terrain_when_the_file_is_broken() {
    let mut fixture = Fixture::settled(&hills(3));
    let chunks = fixture.chunks();
    fixture.write(&hills(4).replace("spacing: 4.0", "spacing: -4.0"));
    assert_eq!(
        fixture.pump_until_problem(),
        ["hills.terrain.ron:4:33: `chunks.spacing` is -4.0, allowed: 0.1 to 100 m"]
    );
    pump(&mut fixture.app, 100);
    assert_eq!((fixture.seed(), fixture.chunks()), (Some(3), chunks));
    // Another problem replaces the first.
    fixture.write(&hills(4).replace("quads", "quats"));
    let terrain = fixture.terrain;
    pump_until(&mut fixture.app, "the other problem is reported", |app| problems(app, terrain)[0].contains("`quats`"));
    fixture.write(&hills(4));
    fixture.pump_until_seed(4);
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn warnings_have_a_position_while_the_settings_are_those_of_the_file() {
    let fine = |seed: u64, octaves: u32, frequency: f64| {
        hills(seed).replace(
            "),\n    chunks",
            &format!(", layers: [(kind: Noise(octaves: {octaves}, frequency: {frequency}))]),\n    chunks"),
        )
    };
    let mut fixture = Fixture::settled(&fine(3, 5, 0.01));
    let terrain = fixture.terrain;
    let [warning] = &warnings(&fixture.app, terrain)[..] else { panic!("{:?}", warnings(&fixture.app, terrain)) };
    let octave = "`field.layers[0].kind.octaves`: octave 5 has 0.64 cycles per vertex spacing (4 m)";
    assert!(warning.starts_with(&format!("hills.terrain.ron:3:53: {octave}")), "{warning}");
    // The same settings in another line.
    fixture.write(&format!("\n{}", fine(3, 5, 0.01)));
    pump_until(&mut fixture.app, "the warning has the new line", |app| {
        warnings(app, terrain)[0].contains("ron:4:53: ")
    });
    edit(&mut fixture.app, terrain, |settings| settings.field.seed = 50);
    fixture.app.update();
    assert!(warnings(&fixture.app, terrain)[0].starts_with(octave));
    fixture.write(&fine(4, 4, 0.01));
    fixture.pump_until_seed(4);
    assert_eq!(warnings(&fixture.app, terrain), Vec::<String>::new());
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn a_file_that_is_fixed_with_its_old_content_rebuilds_nothing() {
    let mut fixture = Fixture::settled(&hills(3));
    let chunks = fixture.chunks();
    fixture.write("(");
    fixture.pump_until_problem();
    fixture.write(&hills(3));
    let terrain = fixture.terrain;
    pump_until(&mut fixture.app, "there is no problem", |app| problems(app, terrain).is_empty());
    pump(&mut fixture.app, 10);
    assert_eq!((fixture.seed(), fixture.chunks()), (Some(3), chunks));
}

#[test]
fn a_file_that_is_broken_at_the_start_gives_terrain_once_it_is_fixed() {
    let mut fixture = Fixture::new(Some(b"(field: (seed: x))"));
    fixture.pump_until_problem();
    assert!(fixture.chunks().is_empty());
    fixture.write(&hills(8));
    fixture.pump_until_seed(8);
    assert_eq!(fixture.problems(), Vec::<String>::new());
}

#[test]
fn a_terrain_that_is_spawned_after_its_file_failed_has_the_problems() {
    let mut fixture = Fixture::new(Some(b"(field: (seed: x))"));
    fixture.pump_until_problem();
    let handle = fixture.app.world().get::<Terrain>(fixture.terrain).expect("a terrain").0.clone();
    pump(&mut fixture.app, 10);
    let late = fixture.app.world_mut().spawn(Terrain(handle)).id();
    fixture.app.update();
    assert_eq!(problems(&fixture.app, late), fixture.problems());
}

#[test]
fn a_terrain_that_is_spawned_after_its_file_broke_has_the_problems() {
    let mut fixture = Fixture::settled(&hills(3));
    fixture.write("(");
    fixture.pump_until_problem();
    let handle = fixture.app.world().get::<Terrain>(fixture.terrain).expect("a terrain").0.clone();
    pump(&mut fixture.app, 10);
    let late = fixture.app.world_mut().spawn(Terrain(handle)).id();
    fixture.app.update();
    assert_eq!(problems(&fixture.app, late), fixture.problems());
    assert_eq!(state(&fixture.app, late).settings().map(|settings| settings.field.seed), Some(3));
}

#[test]
fn every_kind_of_error_has_its_position() {
    let several = "(\n  field: (sed: 3, layers: [(kind: Noise(octaves: 40))]),\n  chunks: (quads: \"many\"),\n)";
    let cases: [(&[u8], &[&str]); 6] = [
        (
            b"(\xff)",
            &["hills.terrain.ron:1:2: the byte 0xFF, which may mean `ÿ`, is not UTF-8; save the file as UTF-8"],
        ),
        (b"(field: (seed: 3 base_height: 2.0))", &["hills.terrain.ron:1:17: a comma is missing before `base_height`"]),
        (
            b"(field: (sed: 3))",
            &[
                "hills.terrain.ron:1:10: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers, edits",
            ],
        ),
        (
            b"(chunks: (spacing: \"wide\"))",
            &["hills.terrain.ron:1:20: `chunks.spacing` is \"wide\", allowed: a number, 0.1 to 100 m"],
        ),
        (b"(stream: (look_ahead: 11))", &["hills.terrain.ron:1:23: `stream.look_ahead` is 11.0, allowed: 0 to 10 s"]),
        (
            several.as_bytes(),
            &[
                "hills.terrain.ron:2:11: unknown field `sed`, did you mean `seed`? allowed: seed, base_height, layers, edits",
                "hills.terrain.ron:2:50: `field.layers[0].kind.octaves` is 40, allowed: 0 to 32",
                "hills.terrain.ron:3:19: `chunks.quads` is \"many\", allowed: a whole number, a power of two, 8 to 128",
            ],
        ),
    ];
    for (content, expected) in cases {
        let mut fixture = Fixture::new(Some(content));
        assert_eq!(fixture.pump_until_problem(), expected);
        assert!(fixture.chunks().is_empty());
    }
}

#[test]
fn a_file_that_was_never_valid_fails_once_for_each_change() {
    let mut fixture = Fixture::new(Some(b"(field: (seed: x))"));
    fixture.pump_until_problem();
    let (terrain, folder) = (fixture.terrain, fixture.folder.clone());
    let failures = failures_of(&mut fixture.app, |app| {
        pump(app, 200);
        fs::write(folder.join(FILE), "(field: (seed: y))").expect("the file can be written");
        pump_until(app, "the other problem is reported", |app| problems(app, terrain)[0].contains("is y"));
        pump(app, 200);
    });
    assert_eq!(
        failures,
        ["hills.terrain.ron:1:16: `field.seed` is y, allowed: a whole number, 0 to 18446744073709551615"]
    );
}
