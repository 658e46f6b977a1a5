//! Edits of the layers of plants.

use super::*;

const FILE: &str = r#"(
    // A wood.
    plants: [
        (name: "spruce", kind: Conifer, on: ["grass", "scree"]), // tall
        (name: "boulder", kind: Stone, spacing: 30.0),
    ],
)"#;

fn draft() -> TerrainDraft {
    Draft::from_file(TerrainSettings::from_ron(FILE).expect("the text is valid"), FILE)
}

fn names(draft: &TerrainDraft) -> String {
    let names: Vec<&str> = draft.settings().plants.iter().map(|layer| layer.name.as_str()).collect();
    names.join(", ")
}

fn streams(draft: &TerrainDraft) -> Vec<u32> {
    draft.settings().plants.iter().enumerate().map(|(index, layer)| layer.stream_at(index)).collect()
}

#[test]
fn layers_of_plants_are_added_copied_moved_rolled_and_removed() {
    let mut draft = draft();
    let [spruce, boulder] = streams(&draft)[..] else { panic!("two layers") };
    let mut change = |change: Change| {
        assert!(draft.can_change(&change), "{change:?}");
        draft.change(&change).expect("the layer exists");
        assert_eq!(draft.settings().validate(), Ok(()), "each has a stream of its own");
        (names(&draft), streams(&draft))
    };
    assert_eq!(change(up("plants[1]")), ("boulder, spruce".to_owned(), vec![boulder, spruce]));
    let (now, streams) = change(duplicate("plants[1]"));
    assert_eq!((&*now, streams[1]), ("boulder, spruce, spruce 2", spruce));
    assert_eq!(change(add("plants")).0, "boulder, spruce, spruce 2, ");
    let (_, rolled) = change(roll("plants[0]"));
    assert!(rolled[0] != boulder && rolled[1..3] == streams[1..]);
    assert_eq!(change(remove("plants[2]")).0, "boulder, spruce, ");
    assert_eq!(draft.history().labels().last(), Some("Remove spruce 2"));
}

#[test]
fn a_file_keeps_its_comments_and_needs_no_streams() {
    let mut draft = draft();
    assert_eq!(draft.copy_all(), FILE);
    draft.change(&up("plants[1]")).expect("it exists");
    let moved = draft.copy_all();
    assert!(moved.contains("on: [\"grass\", \"scree\"]), // tall\n") && !moved.contains("stream"), "{moved}");
    assert_eq!(TerrainSettings::from_ron(&moved).as_ref(), Ok(draft.settings()));
}

#[test]
fn a_new_name_moves_no_plant_and_a_ground_layer_keeps_its_plants() {
    let mut draft = draft();
    let before = streams(&draft);
    draft.edit("plants[0].name", ParamValue::Text("fir".to_owned())).expect("the name is free");
    assert_eq!(streams(&draft), before);
    let saved = draft.copy_all();
    assert!(saved.contains(&format!("stream: {}", before[0])), "{saved}");
    let pinned = TerrainSettings::from_ron(&saved).expect("it can be read").plants[0].stream_at(0);
    assert_eq!(pinned, before[0]);
    draft.edit("look.layers[0].name", ParamValue::Text("meadow".to_owned())).expect("any name");
    assert_eq!(draft.settings().plants[0].on, ["meadow", "scree"]);
    // As two layers of plants with one name have the same places.
    let error = draft.edit("plants[1].name", ParamValue::Text("fir".to_owned())).expect_err("the name is taken");
    assert_eq!(error.to_string(), "`plants[1].name` is \"fir\", allowed: a name that no other layer of plants has");
}

#[test]
fn layers_of_plants_are_copied_and_pasted_as_text() {
    let mut draft = draft();
    let spruce = draft.copy("plants[0]").expect("it exists");
    draft.paste(Some("plants[1]"), &spruce).expect("there is room");
    draft.paste(None, "(name: \"bush\", kind: Bush)").expect("it is a layer of plants");
    assert_eq!(names(&draft), "spruce, boulder, spruce 2, bush");
    assert_eq!(draft.settings().plants[2].on, draft.settings().plants[0].on);
    let problems = draft.paste(None, "(name: \"oak\", spacing: 0.1)").expect_err("too dense");
    assert_eq!(problems[0].to_string(), "1:24: `spacing` is 0.1, allowed: 0.5 to 1000 m");
}

#[test]
fn too_many_layers_of_plants_are_refused() {
    let mut draft = draft();
    for _ in 2..16 {
        draft.change(&add("plants")).expect("there is room");
    }
    assert_eq!(draft.why(&add("plants")).as_deref(), Some("Would give a list of 17. Allowed: up to 16 layers."));
    assert!(draft.change(&duplicate("plants[3]")).is_err());
    assert_eq!(draft.why(&up("plants[0]")).as_deref(), Some(""));
}
