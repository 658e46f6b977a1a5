//! Moves, adds and removes the items of a list in a RON text, together with their comments.
//!
//! The text of a list is a sequence of blocks, one for each item, and gaps. A block has the comments above the item, the
//! item, its comma and the comments on the rest of the line. A gap has whitespace and all other comments. The first gap
//! stays at the opening bracket and the last gap at the closing one. Each gap between stays with the item below it. If the
//! item is removed, the comments of the gap move to the next remaining item.

use super::outline::skip_space;
use super::text_diff::{Diff, indented};
use super::tree::Node;
use super::trivia::{ends_in_line_comment, rest_of_line, start_of_comments};

impl Diff<'_> {
    /// The text of a list after the change. `None` if the text does not have the same items as `old`.
    pub fn list(&self, text: Node, old: Node, new: Node) -> Option<String> {
        let [texts, olds, news] = [text, old, new].map(|list| list.children().collect::<Vec<_>>());
        let inside = text.between_brackets()?;
        let is_bare = texts.is_empty() && text.text()[inside.clone()].trim().is_empty();
        if texts.len() != olds.len() || is_bare {
            return None;
        }
        let blocks = blocks(text.text(), inside.start, &texts);
        let starts = blocks.iter().map(|block| block.start).chain([inside.end]);
        let ends = [inside.start].into_iter().chain(blocks.iter().map(|block| block.end));
        let mut gaps: Vec<&str> = ends.zip(starts).map(|(end, start)| &text.text()[end..start]).collect();
        let is_multiline = gaps.iter().any(|gap| gap.contains('\n')) || texts.is_empty();

        let mut last_gap = gaps.pop()?;
        let first_gap = if gaps.is_empty() { last_gap.trim_end() } else { gaps[0] };
        let outer = text.indent();
        let indent = match first_gap.rsplit_once('\n') {
            Some((_, line)) if !texts.is_empty() => line.to_owned(),
            _ => indented(outer),
        };
        let line_break = format!("{}{indent}", self.newline);
        let closing_line = format!("{}{outer}", self.newline);
        if texts.is_empty() && !last_gap[first_gap.len()..].contains('\n') {
            last_gap = &closing_line;
        } else if texts.is_empty() {
            last_gap = &last_gap[first_gap.len()..];
        }

        let places = places(&olds, &news);
        let mut is_kept = vec![false; olds.len()];
        places.iter().flatten().for_each(|&place| is_kept[place] = true);
        let mut moved_comments = String::new();
        let mut gaps_above = Vec::new();
        for (i, &gap) in gaps.iter().enumerate() {
            if i > 0 && !gap.trim().is_empty() {
                moved_comments.truncate(moved_comments.trim_end().len());
                moved_comments += gap;
            }
            let own = if moved_comments.is_empty() { gap.to_owned() } else { moved_comments.clone() };
            if is_kept[i] {
                moved_comments.clear();
            }
            gaps_above.push(own);
        }

        let mut pen = Pen { text: String::new(), line_break: &line_break, is_in_comment: false };
        pen.code(&text.value()[..inside.start - text.range().start]);
        if news.is_empty() {
            let is_bare = [first_gap, &moved_comments, last_gap].iter().all(|gap| gap.trim().is_empty());
            pen.trivia(first_gap.trim_end());
            last_gap = if is_bare { "" } else { last_gap };
        } else {
            pen.trivia(first_gap);
        }
        let between = if is_multiline { &line_break } else { " " };
        for (i, (place, item)) in places.iter().zip(&news).enumerate() {
            let gap = place.filter(|&place| place > 0).map_or(between, |place| &gaps_above[place]);
            match i {
                0 if texts.is_empty() => pen.trivia(&line_break),
                0 if gap.trim().is_empty() => {}
                0 => pen.trivia(gap.trim_start()),
                _ => pen.trivia(gap),
            }
            let has_comma = i + 1 < news.len() || blocks.last().is_none_or(|block| block.has_comma);
            let comma = if has_comma { "," } else { "" };
            if let Some(place) = *place {
                let block = &blocks[place];
                pen.trivia(block.above);
                pen.code(&self.value(texts[place], olds[place], *item));
                pen.trivia(block.before_comma);
                pen.code(comma);
                pen.trivia(block.after_comma);
            } else {
                pen.code(&self.written(*item, &indent));
                pen.code(comma);
            }
        }
        pen.trivia(moved_comments.trim_end());
        pen.trivia(last_gap);
        pen.code("]");
        Some(pen.text)
    }
}

/// The text of one item of a list, without its value.
struct Block<'a> {
    start: usize,
    above: &'a str,
    before_comma: &'a str,
    has_comma: bool,
    after_comma: &'a str,
    end: usize,
}

/// The blocks of the `items` of a list whose first byte is `start`.
fn blocks<'a>(text: &'a str, start: usize, items: &[Node]) -> Vec<Block<'a>> {
    let mut free = rest_of_line(text, start);
    let block = |item: &Node| {
        let value = item.range();
        let start = start_of_comments(text, free..value.start);
        let comma = skip_space(text, value.end);
        let has_comma = text[comma..].starts_with(',');
        let (before, after) = if has_comma { (comma, comma + 1) } else { (value.end, value.end) };
        let end = rest_of_line(text, after);
        free = end;
        Block {
            start,
            above: &text[start..value.start],
            before_comma: &text[value.end..before],
            has_comma,
            after_comma: &text[after..end],
            end,
        }
    };
    items.iter().map(block).collect()
}

/// What identifies an item of a list.
struct Identity<'a> {
    stream: Option<&'a str>,
    /// The text before and after the value of `stream`.
    rest: (&'a str, &'a str),
    word: &'a str,
}

impl<'a> Identity<'a> {
    fn of(item: &Node<'a>) -> Self {
        let (value, start) = (item.value(), item.range().start);
        let stream = item.child("stream");
        let rest = stream.map_or((value, ""), |stream| {
            let range = stream.range();
            (&value[..range.start - start], &value[range.end - start..])
        });
        Self { stream: stream.map(Node::value), rest, word: item.word() }
    }
}

/// The place in `old` of each item of `new`. `None` if the item is not in `old`.
fn places(old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    let rules: [fn(&Identity, &Identity) -> bool; 4] = [
        |old, new| old.stream.is_some() && old.stream == new.stream,
        // With other streams, this is an item with a new stream.
        |old, new| old.rest == new.rest,
        |old, new| (old.stream.is_none() || new.stream.is_none()) && old.word == new.word,
        |old, new| old.stream.is_none() || new.stream.is_none(),
    ];
    let [old, new] = [old, new].map(|items| items.iter().map(Identity::of).collect::<Vec<_>>());
    let mut places = vec![None; new.len()];
    let mut free: Vec<usize> = (0..old.len()).collect();
    for rule in rules {
        for (place, item) in places.iter_mut().zip(&new).filter(|(place, _)| place.is_none()) {
            if let Some(at) = free.iter().position(|&i| rule(&old[i], item)) {
                *place = Some(free.remove(at));
            }
        }
    }
    places
}

/// Writes text and keeps it out of line comments.
struct Pen<'a> {
    text: String,
    line_break: &'a str,
    is_in_comment: bool,
}

impl Pen<'_> {
    fn code(&mut self, code: &str) {
        if self.is_in_comment && !code.is_empty() {
            self.text += self.line_break;
            self.is_in_comment = false;
        }
        self.text += code;
    }

    /// Writes whitespace and comments.
    fn trivia(&mut self, trivia: &str) {
        if trivia.is_empty() {
            return;
        }
        if !trivia.trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            self.code(trivia);
        } else {
            self.text += trivia;
        }
        self.is_in_comment = ends_in_line_comment(trivia);
    }
}
