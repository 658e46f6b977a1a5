//! Text files as text.

use super::SettingsError;
use super::error::problem_at;

/// Returns the text of a settings file with these bytes.
///
/// ```
/// use perlin_terrain::settings::settings_text;
///
/// assert_eq!(settings_text(b"(field: (seed: 3))"), Ok("(field: (seed: 3))"));
/// let error = settings_text(b"(\n  // H\xfcgel\n)").unwrap_err();
/// assert_eq!(error.to_string(), "2:7: the byte 0xFC, which may mean `\u{fc}`, is not UTF-8; save the file as UTF-8");
/// ```
///
/// # Errors
///
/// If the bytes are not UTF-8. The problem has the position of the first one that is not.
pub fn settings_text(bytes: &[u8]) -> Result<&str, SettingsError> {
    let valid = match str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error.valid_up_to(),
    };
    let before = str::from_utf8(&bytes[..valid]).expect("the text is valid up to here");
    let wrong = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file is UTF-16; save it as UTF-8".to_owned(),
        _ => {
            let byte = bytes[valid];
            // Latin-1 and its relatives are what editors write instead.
            let letter = char::from(byte);
            let meant = if letter.is_alphabetic() { format!(", which may mean `{letter}`,") } else { String::new() };
            format!("the byte 0x{byte:02X}{meant} is not UTF-8; save the file as UTF-8")
        }
    };
    Err(SettingsError { problems: vec![problem_at(before, valid, "", wrong, None)] })
}
