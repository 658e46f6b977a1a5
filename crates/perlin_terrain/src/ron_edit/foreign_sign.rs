//! Signs of other file formats, and of word processors, and what was meant by them.

/// A kind of sign that a settings file does not have. It is reported where it first occurs, with the number of the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Foreign {
    Quote,
    Space,
    Sign(char, char),
    Brace,
    Comment(&'static str),
    Name,
    Equals,
    Colon,
    Semicolon,
}

impl Foreign {
    /// The mistake of the sign, which is `written`.
    pub fn wrong(self, written: &str) -> String {
        match self {
            Self::Quote => format!("{written} is no quote of settings files; write straight quotes, as in \"Hills\""),
            Self::Space => {
                let code = written.chars().next().map_or(0, u32::from);
                let name = if code == 0xa0 { "a no-break space" } else { "an invisible character" };
                format!("{name} (U+{code:04X}); write a plain space")
            }
            Self::Sign(_, meant) => format!("`{written}` only looks like `{meant}`; write `{meant}`"),
            Self::Brace => format!("`{written}`: settings are in parentheses; write `(` and `)` in place of braces"),
            Self::Comment(sign) => format!("`{sign}` begins no comment; write `//`"),
            Self::Name => format!("the name {written} is in quotes; write it without them"),
            Self::Equals => "`=` after a name; write `:`".to_owned(),
            Self::Colon => format!("`:` between `{written}` and its parentheses; remove it"),
            Self::Semicolon => "`;` ends no field; write `,`".to_owned(),
        }
    }
}

/// The sign of settings files that `sign` looks like.
pub(super) fn look_alike(sign: char) -> Option<char> {
    Some(match sign {
        '：' | '∶' => ':',
        '，' | '、' | '،' | '‚' => ',',
        '；' => ';',
        '（' => '(',
        '）' => ')',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '｛' => '{',
        '｝' => '}',
        '−' | '–' | '—' | '‐' | '‑' => '-',
        '．' | '。' => '.',
        '＝' => '=',
        '／' => '/',
        _ => return None,
    })
}

/// Quotes that are no straight ones.
pub(super) const QUOTES: [char; 11] = ['“', '”', '„', '‟', '‘', '’', '«', '»', '‹', '›', '＂'];

/// Whether `sign` is a space, or not even visible, and no space for the RON parser.
pub(super) const fn is_foreign_space(sign: char) -> bool {
    matches!(
        sign,
        '\u{a0}' | '\u{ad}' | '\u{1680}' | '\u{2000}'..='\u{200d}' | '\u{202f}' | '\u{205f}'..='\u{2064}' | '\u{3000}' | '\u{feff}'
    )
}
