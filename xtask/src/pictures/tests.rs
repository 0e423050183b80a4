use super::{
    grid::{Arrow, Lines, Text, read},
    *,
};

fn text(column: usize, row: usize, width: usize, text: &str) -> Text {
    Text { column, row, width, text: text.into() }
}

#[test]
fn text_goes_on_over_one_space_and_not_over_two() {
    let expected = vec![text(0, 0, 3, "a b"), text(5, 0, 1, "c")];
    assert_eq!(expected, read("a b  c").texts);
}

#[test]
fn a_chinese_character_takes_two_cells_and_is_a_run_of_its_own() {
    let expected =
        vec![text(0, 0, 1, "\""), text(1, 0, 4, "你好"), text(5, 0, 1, "\"")];
    assert_eq!(expected, read("\"你好\"").texts);
}

#[test]
fn a_line_ends_a_text() {
    let grid = read("│a│\n");
    assert_eq!(vec![text(1, 0, 1, "a")], grid.texts);
    let wall = Lines { up: true, down: true, ..Lines::default() };
    assert_eq!(Some(&wall), grid.lines.get(&(0, 2)));
}

#[test]
fn an_arrow_s_head_is_fed_from_behind() {
    let head = Lines { arrow: Some(Arrow::Right), left: true, ..Lines::default() };
    assert_eq!(Some(&head), read("─▶").lines.get(&(0, 1)));
}

#[test]
fn a_picture_has_its_text_alternative_and_no_blank_line() -> Result<()> {
    let source = "title: A < B\ndescription: A comes before B.\n\
                  client: 0 0 1 1\n---\nA ─▶ B\n";
    let svg = svg::render(&parse("order", source)?);
    for part in [
        "role=\"img\"",
        "<title id=\"picture-order-title\">A &lt; B</title>",
        "<desc id=\"picture-order-description\">A comes before B.</desc>",
        "<text class=\"is-client\" x=\"8\" y=\"21\" textLength=\"8\"",
    ] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    assert!(!svg.contains("\n\n"), "a blank line ends an HTML block of Markdown");
    Ok(())
}

#[test]
fn a_source_without_a_description_is_refused() {
    let error = parse("x", "title: T\n---\nA\n").err().map(|error| error.to_string());
    assert_eq!(Some("no description".to_owned()), error);
}

#[test]
fn the_frame_in_the_picture_is_the_recorded_one() -> Result<()> {
    let root = crate::root();
    let recording = files::read(&root.join("book/src/recordings/nihao.json"))?;
    let recording: serde_json::Value = serde_json::from_str(&recording)?;
    let step = recording["steps"].as_array().into_iter().flatten();
    let mut frames = step.filter(|step| {
        step["from"] == "client"
            && step["body"].as_str().is_some_and(|body| body.contains("你好"))
    });
    let frame = frames.next().context("no frame with 你好")?;
    let part = |name: &str| frame[name].as_str().unwrap_or_default().to_owned();
    let (header, body) = (part("header"), part("body"));
    let hello = header.len() + body.find("你").context("no 你")?;
    let picture = files::read(&root.join("book/pictures/frame.txt"))?;
    let (start, end) = (header.len(), header.len() + body.len() - 1);
    for fact in [
        header.trim_end().to_owned(),
        format!("bytes {start}–{end}"),
        format!("{} bytes, {} characters", body.len(), body.chars().count()),
        format!("bytes {hello}–{}", hello + "你好".len() - 1),
    ] {
        assert!(picture.contains(&fact), "the picture does not say `{fact}`");
    }
    Ok(())
}
