//! Characters, blanks and names, as the vocabulary defines them.

/// Whether a text holds no visible character. `White_Space` of Unicode is just what `char::is_whitespace` asks for.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// The first characters of a text, up to a number of them.
pub(crate) fn first(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

/// Whether a character is JSON white space.
pub(crate) fn is_json_space(each: char) -> bool {
    matches!(each, ' ' | '\t' | '\n' | '\r')
}

/// Whether a provider can take a text as a name.
pub(crate) fn is_sendable(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.chars().all(is_word)
}

/// Whether a character can stand in such a name.
pub(crate) fn is_word(each: char) -> bool {
    each.is_ascii_alphanumeric() || matches!(each, '_' | '-')
}
