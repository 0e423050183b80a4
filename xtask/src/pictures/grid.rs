//! A drawing as cells: which have lines, which have text.

use std::collections::BTreeMap;
use unicode_width::UnicodeWidthChar;

/// What a cell draws, from its middle to its sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub up: bool,
    pub right: bool,
    pub down: bool,
    pub left: bool,
    pub dashed: bool,
    pub arrow: Option<Arrow>,
}

/// Which way a head points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    Up,
    Right,
    Down,
    Left,
}

/// Characters that stand together in a row.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    pub column: usize,
    pub row: usize,
    /// In cells: a Chinese character takes two.
    pub width: usize,
    pub text: String,
}

#[derive(Default)]
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    /// By row, then column.
    pub lines: BTreeMap<(usize, usize), Lines>,
    pub texts: Vec<Text>,
}

pub fn read(drawing: &str) -> Grid {
    let mut grid = Grid::default();
    for (row, line) in drawing.trim_end().lines().enumerate() {
        let mut column = 0;
        let mut spaces = 0;
        for character in line.chars() {
            let width = character.width().unwrap_or(0);
            match (lines(character), character) {
                (Some(lines), _) => {
                    grid.lines.insert((row, column), lines);
                    spaces = 2;
                }
                (None, ' ') => spaces += 1,
                (None, _) => {
                    grid.put(row, column, width, spaces, character);
                    spaces = 0;
                }
            }
            column += width;
        }
        grid.columns = grid.columns.max(column);
        grid.rows = row + 1;
    }
    grid
}

impl Grid {
    /// Text goes on over one space, but Chinese and Latin are runs of their own: they
    /// come from different fonts, and each is stretched to its cells.
    fn put(&mut self, row: usize, column: usize, width: usize, spaces: usize, c: char) {
        let goes_on = self.texts.last_mut().filter(|last| {
            let wide = last.text.chars().any(|c| c.width() == Some(2));
            let end = last.column + last.width;
            last.row == row
                && spaces < 2
                && end + spaces == column
                && wide == (width == 2)
                && !(wide && spaces > 0)
        });
        match goes_on {
            Some(last) => {
                last.text.extend(std::iter::repeat_n(' ', spaces));
                last.text.push(c);
                last.width += spaces + width;
            }
            None => self.texts.push(Text { column, row, width, text: c.into() }),
        }
    }
}

fn lines(character: char) -> Option<Lines> {
    let sides = |sides: &str| Lines {
        up: sides.contains('u'),
        right: sides.contains('r'),
        down: sides.contains('d'),
        left: sides.contains('l'),
        ..Lines::default()
    };
    let head = |arrow, from| Lines { arrow: Some(arrow), ..sides(from) };
    let dashed = |from| Lines { dashed: true, ..sides(from) };
    Some(match character {
        '─' => sides("lr"),
        '│' => sides("ud"),
        '┌' => sides("rd"),
        '┐' => sides("ld"),
        '└' => sides("ur"),
        '┘' => sides("ul"),
        '├' => sides("urd"),
        '┤' => sides("uld"),
        '┬' => sides("lrd"),
        '┴' => sides("lru"),
        '┼' => sides("lrud"),
        '╌' => dashed("lr"),
        '╎' => dashed("ud"),
        '▶' => head(Arrow::Right, "l"),
        '◀' => head(Arrow::Left, "r"),
        '▲' => head(Arrow::Up, "d"),
        '▼' => head(Arrow::Down, "u"),
        _ => return None,
    })
}
