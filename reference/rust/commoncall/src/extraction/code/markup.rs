//! HTML and links, as far as a run of backticks can begin in them.

/// What a sign begins.
enum Found<'a> {
    Nothing,
    /// What the text ends in.
    Open,
    /// What ends before this.
    Ended(&'a [u8]),
}

use Found::{Ended, Nothing, Open};

/// Whether a text, in which no code is, may end in HTML, a link or its like, so that no run ends the code behind it.
pub(super) fn may_hold_run(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(first) = rest.first() {
        let found = match first {
            b'\\' if rest.len() > 1 => Ended(&rest[2..]),
            b'<' => angle(&rest[1..]),
            b']' if is_in_link(&rest[1..]) => Open,
            _ => Nothing,
        };
        rest = match found {
            Nothing => &rest[1..],
            Open => return true,
            Ended(behind) => behind,
        };
    }
    false
}

/// What begins with a `<`, by the text behind that.
fn angle(text: &[u8]) -> Found<'_> {
    if let Some(comment) = text.strip_prefix(b"!--") {
        let at_once = comment.strip_prefix(b">").or_else(|| comment.strip_prefix(b"->"));
        return at_once.map_or_else(|| until(comment, b"-->"), Ended);
    }
    if let Some(instruction) = text.strip_prefix(b"?") {
        return until(instruction, b"?>");
    }
    if let Some(section) = text.strip_prefix(b"![CDATA[") {
        return until(section, b"]]>");
    }
    match text {
        [b'!', letter, declaration @ ..] if letter.is_ascii_alphabetic() => until(declaration, b">"),
        [b'/', letter, closer @ ..] if letter.is_ascii_alphabetic() => {
            behind(behind(closer, is_of_name), is_space).strip_prefix(b">").map_or(Nothing, Ended)
        }
        [letter, name @ ..] if letter.is_ascii_alphabetic() => autolink(name).unwrap_or_else(|| tag(behind(name, is_of_name))),
        _ => Nothing,
    }
}

fn until<'a>(text: &'a [u8], end: &[u8]) -> Found<'a> {
    text.windows(end.len()).position(|each| each == end).map_or(Open, |at| Ended(&text[at + end.len()..]))
}

/// An autolink behind the first letter of its scheme, which has 2 to 32.
fn autolink(text: &[u8]) -> Option<Found<'_>> {
    let rest = behind(text, |each| each.is_ascii_alphanumeric() || matches!(each, b'+' | b'.' | b'-'));
    if !(1..=31).contains(&(text.len() - rest.len())) {
        return None;
    }
    let rest = behind(rest.strip_prefix(b":")?, |each| !is_space(each) && !matches!(each, b'<' | b'>'));
    Some(if rest.is_empty() { Open } else { Ended(rest) })
}

/// A tag behind its name.
fn tag(mut text: &[u8]) -> Found<'_> {
    loop {
        let spaced = behind(text, is_space);
        let is_attribute = |each: &u8| each.is_ascii_alphabetic() || matches!(each, b'_' | b':');
        if spaced.len() == text.len() || !spaced.first().is_some_and(is_attribute) {
            return spaced.strip_prefix(b"/").unwrap_or(spaced).strip_prefix(b">").map_or(Nothing, Ended);
        }
        text = behind(spaced, |each| is_of_name(each) || matches!(each, b'_' | b'.' | b':'));
        let Some(value) = behind(text, is_space).strip_prefix(b"=") else { continue };
        let value = behind(value, is_space);
        text = match value {
            [mark @ (b'"' | b'\''), quoted @ ..] => match until(quoted, &[*mark]) {
                Ended(rest) => rest,
                open => return open,
            },
            _ => behind(value, |each| !is_space(each) && !matches!(each, b'"' | b'\'' | b'=' | b'<' | b'>')),
        };
        if text.len() == value.len() {
            return Nothing;
        }
    }
}

/// Whether a text ends in the label, destination or title of a link, by what stands behind the `]`.
fn is_in_link(text: &[u8]) -> bool {
    match text {
        [b'[', label @ ..] => behind(label, |each| !matches!(each, b'[' | b']')).is_empty(),
        [b'(', spaced @ ..] => {
            let destination = behind(spaced, is_space);
            let Some(rest) = behind_destination(destination) else { return false };
            let title = behind(rest, is_space);
            // Without a destination the title is all.
            let is_title = |before: &[u8], title: &[u8]| title.len() < before.len() && ends_in_title(title);
            title.is_empty() || is_title(rest, title) || is_title(spaced, destination)
        }
        _ => false,
    }
}

fn behind_destination(text: &[u8]) -> Option<&[u8]> {
    if let Some(angle) = text.strip_prefix(b"<") {
        let rest = behind_escaped(angle, |each| !matches!(each, b'<' | b'>' | b'\n'));
        return if rest.is_empty() { Some(rest) } else { rest.strip_prefix(b">") };
    }
    let rest = behind_escaped(text, |each| !is_space(each) && !matches!(each, b'(' | b')'));
    Some(rest.strip_prefix(b"(").map_or(rest, |inner| behind(inner, |each| !is_space(each) && each != b'<')))
}

/// Whether a text ends in the title with which it begins, or behind that.
fn ends_in_title(text: &[u8]) -> bool {
    let Some((mark, title)) = text.split_first() else { return false };
    let rest = match mark {
        b'"' | b'\'' => behind_escaped(title, |each| each != *mark),
        b'(' => behind_escaped(title, |each| !matches!(each, b'(' | b')')),
        _ => return false,
    };
    let end = if *mark == b'(' { b')' } else { *mark };
    behind(rest.strip_prefix(&[end]).unwrap_or(rest), is_space).is_empty()
}

fn is_of_name(each: u8) -> bool {
    each.is_ascii_alphanumeric() || each == b'-'
}

fn is_space(each: u8) -> bool {
    each.is_ascii_whitespace() || each == b'\x0b'
}

/// What follows all first bytes of a kind.
fn behind(text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|each| !is_of_kind(*each)).unwrap_or(text.len());
    &text[end..]
}

/// The same, where a backslash makes the next byte one of the kind.
fn behind_escaped(mut text: &[u8], is_of_kind: impl Fn(u8) -> bool) -> &[u8] {
    loop {
        text = match text {
            [b'\\', _, rest @ ..] => rest,
            [each, rest @ ..] if *each != b'\\' && is_of_kind(*each) => rest,
            _ => return text,
        };
    }
}
