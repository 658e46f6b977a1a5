//! Edits that are a reload, and edits during reloads.

use super::*;

#[test]
fn an_edit_of_much_ground_is_a_reload() {
    let mut app = slow_app();
    record_messages(&mut app);
    let (mut app, terrain, _) = settled(app, small_settings(), 500.0);
    take_messages(&mut app);
    let old = HeightField::clone(state(&app, terrain).field().expect("there is ground"));
    set(&mut app, terrain, 0, raise(circle(0.0, 0.0, 300.0)));
    app.update();
    assert!(state(&app, terrain).is_reloading() && !state(&app, terrain).is_settled());
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), old, "all of it changes at once");
    assert_surfaces(&mut app, terrain);
    assert!(take_messages(&mut app).edited.is_empty());
    // Small edits wait with it.
    set(&mut app, terrain, 1, raise(circle(10.0, 10.0, 3.0)));
    app.update();
    assert_surfaces(&mut app, terrain);
    settle(&mut app, terrain);
    let new = state(&app, terrain).field().expect("there is ground").clone();
    assert_eq!(new.height(10.0, 10.0), old.height(10.0, 10.0) + 7.0 + 7.0);
    assert_surfaces(&mut app, terrain);
    assert_nothing_left(&mut app);
    let edited = take_messages(&mut app).edited;
    assert_eq!(edited.len(), 2, "{edited:?}");
    // Taken back before it is there.
    edits(&mut app, terrain).remove(0);
    app.update();
    assert!(state(&app, terrain).is_reloading());
    set(&mut app, terrain, 0, raise(circle(0.0, 0.0, 300.0)));
    settle(&mut app, terrain);
    assert_eq!(state(&app, terrain).field(), Some(&new));
}

#[test]
fn a_reload_ends_while_somebody_edits_in_every_frame() {
    for mut app in [headless_app(), app_without_threads()] {
        set_budget(&mut app, |budget| budget.chunks_per_frame = 8);
        let (mut app, terrain, _) = settled(app, settings(), 500.0);
        let mut rng = NoiseRng::new(2, 0);
        for reload in 0..3 {
            match reload {
                0 => edit(&mut app, terrain, |settings| settings.field.seed = 77),
                1 => set(&mut app, terrain, 1000, raise(circle(0.0, 0.0, 400.0))),
                _ => edit(&mut app, terrain, |settings| settings.chunks.quads = 16),
            }
            let mut id = 0;
            app.update();
            assert!(state(&app, terrain).is_reloading(), "reload {reload}");
            let is_behind = reload == 1;
            let flag = |id: u64| TerrainEdit {
                change: EditChange::Flatten(EditHeight::above_zero(id as f64)),
                priority: 1000,
                ..raise(circle(100.0, 100.0, 6.0))
            };
            set(&mut app, terrain, 999, flag(0));
            pump_until(&mut app, "the reload is done", |app| {
                assert_surfaces(app, terrain);
                let height = state(app, terrain).field().expect("there is ground").height(100.0, 100.0);
                assert!(is_behind || height == id as f32, "the edit of this frame is there, also in that of the swap");
                id += 1;
                set(app, terrain, id % 30, any_edit(&mut rng, [0.0, 0.0]));
                set(app, terrain, 999, flag(id));
                !state(app, terrain).is_reloading()
            });
            app.update();
            assert_surfaces(&mut app, terrain);
            assert_seamless(&mut app, terrain);
        }
        let settings = state(&app, terrain).settings().expect("they are loaded").clone();
        settle(&mut app, terrain);
        let mut all = EditMap::default();
        edits(&mut app, terrain).iter().for_each(|(id, edit)| _ = all.set(id, edit.clone()).expect("it is allowed"));
        let wanted = HeightField::new(&settings.field).with_edits(&all);
        assert_eq!(**state(&app, terrain).field().expect("there is ground"), wanted);
    }
}

#[test]
fn reloads_show_progress_while_a_large_edit_changes_in_every_frame() {
    for mut app in [headless_app(), app_without_threads()] {
        set_budget(&mut app, |budget| budget.chunks_per_frame = 32);
        let (mut app, terrain, _) = settled(app, settings(), 500.0);
        let plain = HeightField::clone(state(&app, terrain).field().expect("there is ground"));
        let hill = |frame: u64| {
            let change = EditChange::Raise(Raise { height: 1.0 + frame as f64 });
            TerrainEdit { change, ..raise(circle(0.0, 0.0, 400.0)) }
        };
        let (mut frame, mut shown, mut seen) = (0, 0.0, 0);
        pump_until(&mut app, "several states of it were drawn", |app| {
            frame += 1;
            set(app, terrain, 0, hill(frame));
            // What was set in the last frame is drawn, or less.
            let height =
                state(app, terrain).field().expect("there is ground").height(3.0, 4.0) - plain.height(3.0, 4.0);
            assert!(
                height >= shown - 0.01 && height <= frame as f32 + 0.01,
                "{height} m after {shown} m in frame {frame}"
            );
            seen += usize::from(height > shown + 0.5);
            shown = height;
            assert_surfaces(app, terrain);
            seen == 4
        });
        settle(&mut app, terrain);
        let height = state(&app, terrain).field().expect("there is ground").height(3.0, 4.0) - plain.height(3.0, 4.0);
        assert!((height - (1.0 + frame as f32)).abs() < 0.01, "{height} m after {frame} frames");
        assert_surfaces(&mut app, terrain);
    }
}

#[test]
fn the_drawn_ground_gets_no_edits_of_other_settings() {
    let mut first = settings();
    first.field.edits = vec![raise(circle(0.0, 0.0, 5.0))];
    let (mut app, terrain, _) = settled(slow_app(), first, 500.0);
    let before = HeightField::clone(state(&app, terrain).field().expect("there is ground"));
    let other = |settings: &mut TerrainSettings| {
        settings.field.seed = 77;
        settings.field.edits = vec![raise(circle(50.0, 0.0, 5.0))];
    };
    edit(&mut app, terrain, other);
    app.update();
    assert!(state(&app, terrain).is_reloading());
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), before);
    settle(&mut app, terrain);
    let mut wanted = settings();
    other(&mut wanted);
    assert_eq!(**state(&app, terrain).field().expect("there is ground"), HeightField::new(&wanted.field));
    assert_surfaces(&mut app, terrain);
}

#[test]
fn settings_that_are_undone_are_not_shown_while_the_ground_is_behind() {
    let (mut app, terrain, _) = settled(slow_app(), small_settings(), 500.0);
    edit(&mut app, terrain, |settings| settings.field.seed = 77);
    app.update();
    set(&mut app, terrain, 0, raise(circle(0.0, 0.0, 300.0)));
    app.update();
    edit(&mut app, terrain, |settings| settings.field.seed = small_settings().field.seed);
    let plain = HeightField::new(&small_settings().field);
    pump_until(&mut app, "the edit is there", |app| {
        let height = state(app, terrain).field().expect("there is ground").height(3.0, 4.0) - plain.height(3.0, 4.0);
        assert!(height.abs() < 1e-3 || (height - 7.0).abs() < 1e-3, "{height} m of other ground");
        height > 1.0
    });
    settle(&mut app, terrain);
    assert_surfaces(&mut app, terrain);
}
