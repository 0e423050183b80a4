//! A grid as SVG: lines and text in `currentColor`, so that a page's theme colours it.

use super::{
    Source,
    grid::{self, Arrow, Grid, Lines, Text},
};
use std::{collections::BTreeMap, fmt::Write};

/// A cell, in pixels.
const WIDTH: usize = 8;
const HEIGHT: usize = 18;
/// Around the drawing.
const MARGIN: usize = 8;

/// Pieces of a path by the class and the dashes that they are drawn with.
type Paths<'a> = BTreeMap<(&'a str, bool), String>;

pub fn render(source: &Source) -> String {
    let grid = grid::read(source.drawing);
    let id = format!("picture-{}", source.name);
    let width = grid.columns * WIDTH + 2 * MARGIN;
    let height = grid.rows * HEIGHT + 2 * MARGIN;
    let (title, description) = (escape(source.title), escape(source.description));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-description\" font-size=\"13\" \
         font-family=\"'Source Code Pro', 'DejaVu Sans Mono', monospace\" \
         fill=\"currentColor\">\n\
         <title id=\"{id}-title\">{title}</title>\n\
         <desc id=\"{id}-description\">{description}</desc>\n"
    );
    for ((class, dashed), path) in strokes(source, &grid) {
        let dashes = if dashed { " stroke-dasharray=\"4 4\"" } else { "" };
        line(
            &mut svg,
            &format!(
                "<path{} d=\"{path}\" fill=\"none\" stroke=\"currentColor\" \
             stroke-width=\"1.5\"{dashes}/>",
                attribute(class)
            ),
        );
    }
    for ((class, _), path) in heads(source, &grid) {
        line(&mut svg, &format!("<path{} d=\"{path}\"/>", attribute(class)));
    }
    for text in &grid.texts {
        line(&mut svg, &words(source, text));
    }
    svg + "</svg>\n"
}

fn line(svg: &mut String, text: &str) {
    svg.push_str(text);
    svg.push('\n');
}

fn attribute(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"is-{class}\"") }
}

fn class<'a>(source: &'a Source, column: usize, row: usize) -> &'a str {
    let area = source.areas.iter().find(|area| area.holds(column, row));
    area.map_or("", |area| area.class)
}

/// The middle of a cell.
fn middle(column: usize, row: usize) -> (usize, usize) {
    (MARGIN + column * WIDTH + WIDTH / 2, MARGIN + row * HEIGHT + HEIGHT / 2)
}

/// Every line from a cell's middle to a side. The sides of two cells meet, so lines do.
fn strokes<'a>(source: &'a Source, grid: &Grid) -> Paths<'a> {
    let mut paths = Paths::new();
    for (&(row, column), lines) in &grid.lines {
        let (x, y) = middle(column, row);
        let key = (class(source, column, row), lines.dashed);
        let path = paths.entry(key).or_default();
        let (half, tall) = (WIDTH / 2, HEIGHT / 2);
        let Lines { up, right, down, left, .. } = *lines;
        let mut draw = |x1: usize, y1: usize, x2: usize, y2: usize| {
            // Writing to a String cannot fail.
            let _ = write!(path, "M{x1} {y1}L{x2} {y2}");
        };
        match (left, right) {
            (true, true) => draw(x - half, y, x + half, y),
            (true, false) => draw(x - half, y, x, y),
            (false, true) => draw(x, y, x + half, y),
            (false, false) => {}
        }
        match (up, down) {
            (true, true) => draw(x, y - tall, x, y + tall),
            (true, false) => draw(x, y - tall, x, y),
            (false, true) => draw(x, y, x, y + tall),
            (false, false) => {}
        }
    }
    paths.retain(|_, path| !path.is_empty());
    paths
}

/// The arrows' heads, each in the middle of its cell.
fn heads<'a>(source: &'a Source, grid: &Grid) -> Paths<'a> {
    let mut paths = Paths::new();
    for (&(row, column), lines) in &grid.lines {
        let Some(arrow) = lines.arrow else { continue };
        let (x, y) = middle(column, row);
        let corners = match arrow {
            Arrow::Right => [(x - 4, y - 5), (x - 4, y + 5), (x + 5, y)],
            Arrow::Left => [(x + 4, y - 5), (x + 4, y + 5), (x - 5, y)],
            Arrow::Up => [(x - 5, y + 4), (x + 5, y + 4), (x, y - 6)],
            Arrow::Down => [(x - 5, y - 4), (x + 5, y - 4), (x, y + 6)],
        };
        let [(a, b), (c, d), (e, f)] = corners;
        let path = paths.entry((class(source, column, row), false)).or_default();
        let _ = write!(path, "M{a} {b}L{c} {d}L{e} {f}Z");
    }
    paths
}

/// `textLength` makes a run as wide as its cells, whatever the font.
fn words(source: &Source, text: &Text) -> String {
    let x = MARGIN + text.column * WIDTH;
    let y = MARGIN + text.row * HEIGHT + 13;
    format!(
        "<text{} x=\"{x}\" y=\"{y}\" textLength=\"{}\" \
         lengthAdjust=\"spacingAndGlyphs\">{}</text>",
        attribute(class(source, text.column, text.row)),
        text.width * WIDTH,
        escape(&text.text)
    )
}

/// `{{` would be read by mdBook when the picture is included.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace("{{", "&#123;{")
}
