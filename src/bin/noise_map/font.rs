//! Letters of 5 by 7 pixels: no more than captions need.

/// Pixels from one letter to the next.
pub const ADVANCE: u32 = 6;

/// Rows of a letter above the line it stands on.
pub const HEIGHT: u32 = 7;

/// Rows below that line, where some letters reach.
const DESCENT: u32 = 2;

/// Each letter as seven rows from the top, whose lowest five bits are pixels from left to right. Those that reach below the
/// line start lower.
const GLYPHS: &[(char, [u8; 7])] = &[
    (' ', [0; 7]),
    ('+', [0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000]),
    (',', [0b00000, 0b00000, 0b00000, 0b01100, 0b00100, 0b01000, 0b00000]),
    ('.', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100]),
    ('_', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b11111]),
    ('0', [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]),
    ('4', [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]),
    ('6', [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]),
    ('8', [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]),
    ('B', [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110]),
    ('C', [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110]),
    ('D', [0b11100, 0b10010, 0b10001, 0b10001, 0b10001, 0b10010, 0b11100]),
    ('F', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('G', [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111]),
    ('H', [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('M', [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001]),
    ('N', [0b10001, 0b11001, 0b10101, 0b10101, 0b10011, 0b10001, 0b10001]),
    ('O', [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('P', [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('R', [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001]),
    ('S', [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110]),
    ('T', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('W', [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001]),
    ('a', [0b00000, 0b00000, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111]),
    ('b', [0b10000, 0b10000, 0b10110, 0b11001, 0b10001, 0b10001, 0b11110]),
    ('c', [0b00000, 0b00000, 0b01110, 0b10000, 0b10000, 0b10001, 0b01110]),
    ('d', [0b00001, 0b00001, 0b01101, 0b10011, 0b10001, 0b10001, 0b01111]),
    ('e', [0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110]),
    ('é', [0b00010, 0b00100, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110]),
    ('f', [0b00110, 0b01001, 0b01000, 0b11100, 0b01000, 0b01000, 0b01000]),
    ('g', [0b01111, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110]),
    ('h', [0b10000, 0b10000, 0b10110, 0b11001, 0b10001, 0b10001, 0b10001]),
    ('i', [0b00100, 0b00000, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('k', [0b10000, 0b10000, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010]),
    ('l', [0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('m', [0b00000, 0b00000, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101]),
    ('n', [0b00000, 0b00000, 0b10110, 0b11001, 0b10001, 0b10001, 0b10001]),
    ('o', [0b00000, 0b00000, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('p', [0b11110, 0b10001, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000]),
    ('r', [0b00000, 0b00000, 0b10110, 0b11001, 0b10000, 0b10000, 0b10000]),
    ('s', [0b00000, 0b00000, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110]),
    ('t', [0b01000, 0b01000, 0b11100, 0b01000, 0b01000, 0b01001, 0b00110]),
    ('u', [0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b10011, 0b01101]),
    ('v', [0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100]),
    ('w', [0b00000, 0b00000, 0b10001, 0b10001, 0b10101, 0b10101, 0b01010]),
    ('x', [0b00000, 0b00000, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001]),
    ('y', [0b10001, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110]),
];

/// The pixels of `letter`; a full block where there is no such letter.
fn glyph(letter: char) -> [u8; 7] {
    GLYPHS.iter().find(|(known, _)| *known == letter).map_or([0b11111; 7], |(_, rows)| *rows)
}

/// The pixels of `text`, as column and row.
pub fn pixels(text: &str) -> impl Iterator<Item = (u32, u32)> {
    text.chars().zip(0..).flat_map(|(letter, index)| {
        let (rows, drop) = (glyph(letter), if matches!(letter, 'g' | 'p' | 'y' | ',') { DESCENT } else { 0 });
        let lit = move |&(x, y): &(u32, u32)| rows[y as usize] >> (4 - x) & 1 == 1;
        let all = (0..HEIGHT).flat_map(|y| (0..5).map(move |x| (x, y)));
        all.filter(lit).map(move |(x, y)| (index * ADVANCE + x, y + drop))
    })
}

/// Columns of `text`, without the gap behind its last letter.
pub fn width(text: &str) -> u32 {
    (text.chars().count() as u32 * ADVANCE).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_drawn_side_by_side() {
        let mut rows = vec![[b'.'; 23]; 9];
        for (x, y) in pixels("Tég,") {
            rows[y as usize][x as usize] = b'#';
        }
        let rows: Vec<_> = rows.iter().map(|row| str::from_utf8(row).unwrap()).collect();
        let expected = [
            "#####....#.............",
            "..#.....#..............",
            "..#....###...####......",
            "..#...#...#.#...#......",
            "..#...#####.#...#......",
            "..#...#.....#...#..##..",
            "..#....###...####...#..",
            "................#..#...",
            ".............###.......",
        ];
        assert_eq!(rows, expected);
        assert_eq!(width("Tég,"), 23);
    }

    #[test]
    fn every_letter_is_there_once_and_looks_like_no_other() {
        for (i, (letter, rows)) in GLYPHS.iter().enumerate() {
            assert!(rows.iter().all(|row| *row < 32), "{letter}");
            assert!(GLYPHS[..i].iter().all(|(other, others)| other != letter && others != rows), "{letter}");
        }
    }

    #[test]
    fn a_letter_that_is_missing_is_a_block_and_no_text_has_no_width() {
        assert_eq!(pixels("Ж").count(), 35);
        assert_eq!((pixels("").count(), width("")), (0, 0));
    }
}
