//! Moves, adds and removes the items of a list in a RON text, together with their comments.
//!
//! The text of a list is a sequence of blocks, one for each item, and gaps. A block has the comments above the item, the
//! item, its comma and the comments on the rest of the line. A gap has whitespace and all other comments. The first gap
//! stays at the opening bracket and the last gap at the closing one. Each gap between stays with the item below it. If the
//! item is removed, the comments of the gap move to the next remaining item.

use super::diff::{Diff, ItemRules, indented};
use super::document::Document;
use super::node::Node;
use super::trivia::ends_in_line_comment;

impl<R: ItemRules> Diff<'_, R> {
    /// The text of a list after the change. `None` if the text does not have the same items as `old`.
    pub fn list(&self, text: Node, old: Node, new: Node) -> Option<String> {
        let [texts, olds, news] = [text, old, new].map(|list| list.children().collect::<Vec<_>>());
        if texts.len() != olds.len() {
            return None;
        }
        let inside = text.between_brackets()?;
        let source = text.document().text();
        if texts.is_empty() {
            return Some(self.filled(text, &source[inside], &news));
        }
        let blocks = blocks(text.document(), inside.start, &texts);
        let starts = blocks.iter().map(|block| block.start).chain([inside.end]);
        let ends = std::iter::once(inside.start).chain(blocks.iter().map(|block| block.end));
        // In a text that is not valid, a comment may reach beyond the list.
        let mut gaps = ends.zip(starts).map(|(end, start)| source.get(end..start)).collect::<Option<Vec<&str>>>()?;
        let ends_with_comma = blocks.last().is_some_and(|block| block.has_comma);
        let is_multiline = gaps.iter().any(|gap| gap.contains('\n'));
        let mut last_gap = gaps.pop()?;
        let mut first_gap = *gaps.first()?;
        let indent = first_gap.rsplit_once('\n').map_or_else(|| indented(text.indent()), |(_, line)| line.to_owned());
        let line_break = format!("{}{indent}", self.newline);

        let old_indices = old_indices::<R>(&olds, &news);
        let (gaps, rest) = with_moved_comments(&gaps, &old_indices);
        if news.is_empty() {
            first_gap = first_gap.trim_end();
            let has_comments = [first_gap, &rest, last_gap].iter().any(|gap| has_comment(gap));
            last_gap = if has_comments { last_gap } else { "" };
        }
        let mut pen = Pen { text: String::new(), line_break: &line_break, is_in_comment: false };
        pen.code(&source[text.range().start..inside.start]);
        pen.trivia(first_gap);
        for (i, (old_index, item)) in old_indices.iter().zip(&news).enumerate() {
            let between = if is_multiline { &line_break } else { " " };
            let gap = old_index.filter(|&old_index| old_index > 0).map_or(between, |old_index| &gaps[old_index]);
            pen.trivia(if i == 0 { gap.trim_start() } else { gap });
            let block = old_index.map(|old_index| (&blocks[old_index], texts[old_index], olds[old_index]));
            let keeps_comma = is_multiline && block.is_some_and(|(block, ..)| block.has_comma);
            let comma = if i + 1 < news.len() || keeps_comma || ends_with_comma { "," } else { "" };
            if let Some((block, text, old)) = block {
                pen.trivia(block.above);
                pen.code(&self.value(text, old, *item));
                pen.trivia(block.before_comma);
                pen.code(comma);
                pen.trivia(block.after_comma);
            } else {
                pen.code(&self.written(*item, &indent));
                pen.code(comma);
            }
        }
        pen.trivia(&rest);
        pen.trivia(last_gap);
        pen.code("]");
        Some(pen.text)
    }

    /// A list that had no items. It might have comments.
    fn filled(&self, list: Node, inside: &str, items: &[Node]) -> String {
        let (newline, outer) = (self.newline, list.indent());
        let indent = indented(outer);
        let lines = items.iter().map(|item| format!("{newline}{indent}{},", self.written(*item, &indent)));
        format!("[{}{}{newline}{outer}]", inside.trim_end(), lines.collect::<String>())
    }
}

/// Whether `gap`, which has no values, has a comment.
fn has_comment(gap: &str) -> bool {
    !gap.trim().is_empty()
}

/// The gap above each item that stays, with the comments of the gaps above removed items, and the comments that remain for
/// the end of the list.
fn with_moved_comments(gaps: &[&str], old_indices: &[Option<usize>]) -> (Vec<String>, String) {
    let mut stays = vec![false; gaps.len()];
    old_indices.iter().flatten().for_each(|&old_index| stays[old_index] = true);
    let mut moved = String::new();
    let mut result = Vec::new();
    for (i, &gap) in gaps.iter().enumerate() {
        // The first gap stays at the opening bracket.
        if i > 0 && has_comment(gap) {
            moved.truncate(moved.trim_end().len());
            moved += gap;
        }
        let above = if moved.is_empty() { gap } else { &moved };
        result.push(above.to_owned());
        if stays[i] {
            moved.clear();
        }
    }
    moved.truncate(moved.trim_end().len());
    (result, moved)
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
fn blocks<'a>(document: &'a Document<'a>, start: usize, items: &[Node]) -> Vec<Block<'a>> {
    let text = document.text();
    let mut free = document.rest_of_line(start);
    let block = |item: &Node| {
        let value = item.range();
        let start = document.start_of_comments(free..value.start);
        let comma = document.skip_space(value.end);
        let has_comma = text[comma..].starts_with(',');
        let (before, after) = if has_comma { (comma, comma + 1) } else { (value.end, value.end) };
        let end = document.rest_of_line(after);
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

/// The index in `old` of each item of `new`. `None` if the item is not in `old`.
pub(super) fn old_indices<R: ItemRules>(old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    let mut old_indices = vec![None; new.len()];
    let mut free: Vec<usize> = (0..old.len()).collect();
    for is_same in R::SAME {
        for (old_index, item) in old_indices.iter_mut().zip(new).filter(|(old_index, _)| old_index.is_none()) {
            if let Some(at) = free.iter().position(|&i| is_same(old[i], *item)) {
                *old_index = Some(free.remove(at));
            }
        }
    }
    old_indices
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
