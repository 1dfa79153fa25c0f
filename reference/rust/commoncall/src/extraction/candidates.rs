//! Coming calls: a long block shows that it is coming.

use super::descriptors::Reader;
use super::machine::Machine;
use super::output::Event;
use crate::shared::text::{is_json_space, is_sendable};

/// The candidate that was shown last: where it began, and with what length.
#[derive(Default)]
pub(super) struct Announced {
    last: Option<(usize, usize)>,
    /// Where the block begins whose characters were counted, up to where, and how many they are.
    counted: (usize, usize, usize),
}

const SHORTEST: usize = 1024;

impl Announced {
    pub(super) fn next(&mut self, machine: &Machine) -> Option<Event> {
        let (from, dialect, known, behind) = machine.candidate()?;
        let text = machine.source.from(from);
        let (to, count) = if self.counted.0 == from { (self.counted.1, self.counted.2) } else { (from, 0) };
        let length = count + machine.source.from(to).chars().count();
        self.counted = (from, machine.source.len(), length);
        let least = self.last.filter(|(last, _)| *last == from).map_or(SHORTEST, |(_, length)| 2 * length);
        if length < least {
            return None;
        }
        self.last = Some((from, length));
        let limit = text.char_indices().nth(SHORTEST).map_or(text.len(), |(at, _)| at);
        let begin = text.get(behind - from..limit).unwrap_or("");
        let name = match known.or_else(|| dialect.named.clone()) {
            Some(name) if is_sendable(&name) => Some(name),
            _ => {
                let begin = begin.trim_start_matches(is_json_space);
                let found = match dialect.reader {
                    _ if dialect.name_in_first_line => begin.split_once(['\n', '<']).map(|(name, _)| name.to_owned()),
                    Reader::QuotedObject => begin.strip_prefix(dialect.name_begin.as_str()).and_then(|rest| {
                        let (name, _) = rest.split_once(['{', '('])?;
                        Some(name.trim_matches(is_json_space).to_owned())
                    }),
                    _ => named(begin, &dialect.names),
                };
                found.filter(|name| is_sendable(name))
            }
        };
        Some(Event::Candidate { dialect: dialect.id.clone(), name, length })
    }
}

/// The name with which a call value begins.
fn named(begin: &str, names: &[String]) -> Option<String> {
    let rest = begin.strip_prefix('[').unwrap_or(begin).trim_start_matches(is_json_space);
    let rest = rest.strip_prefix('{')?.trim_start_matches(is_json_space);
    let (member, rest) = rest.strip_prefix('"')?.split_once('"')?;
    if !names.iter().any(|name| name == member) {
        return None;
    }
    let rest = rest.trim_start_matches(is_json_space).strip_prefix(':')?.trim_start_matches(is_json_space);
    rest.strip_prefix('"')?.split_once('"').map(|(name, _)| name.to_owned())
}
