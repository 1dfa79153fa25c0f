//! How a block ends, and what becomes of it.

use super::super::descriptors::{Dialect, Reader};
use super::super::json::JsonReader;
use super::super::markers::{Opening, Source};
use super::super::setup::find;
use super::super::values::{Call, Entry};
use super::{Current, Kind, Machine, Reading, State};
use crate::shared::text::is_sendable;

/// What a block came to.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Outcome {
    pub(in super::super) calls: Vec<Call>,
    pub(in super::super) codes: Vec<&'static str>,
    /// The unreadable calls: how many calls of the block stand before, the name, and the error type.
    pub(in super::super) unreadable: Vec<(usize, Option<String>, &'static str)>,
    pub(in super::super) repairs: Vec<&'static str>,
    /// The name of each value, call or not, and whether it is a call, native calls or not.
    pub(in super::super) values: Vec<(Option<String>, bool)>,
    /// Whether it holds a call or an unreadable one, native calls or not.
    pub(in super::super) meant: bool,
}

impl Outcome {
    /// What two payloads came to, one behind the other.
    pub(super) fn joined(mut self, next: Self) -> Self {
        let calls = self.calls.len();
        self.unreadable.extend(next.unreadable.into_iter().map(|(before, name, error)| (calls + before, name, error)));
        self.calls.extend(next.calls);
        self.codes.extend(next.codes);
        self.repairs.extend(next.repairs);
        self.values.extend(next.values);
        self.meant |= next.meant;
        self
    }
}

const TOO_LARGE: &str = "tool_payload_too_large";
/// The error type of what could not be read.
pub(in super::super) const UNREADABLE: &str = "tool_payload_parse_error";

impl Machine {
    /// Ends the block before the end of the text or elsewhere, without a closer.
    pub(super) fn end_with(&mut self, end: usize, code: &'static str) {
        self.end_with_closer(end, end, code);
    }

    /// Ends the block behind a closer that begins at `inner`.
    pub(super) fn end_with_closer(&mut self, inner: usize, end: usize, code: &'static str) {
        let Some(current) = self.current.take() else { return };
        let outcome = self.rejected(&current, inner, code);
        self.end_block(current, end, outcome);
    }

    /// Ends a block whose payload has been read.
    pub(super) fn end_read(&mut self, inner: usize, end: usize, closer_missing: bool) {
        let Some(current) = self.current.take() else { return };
        let dialect = self.setup.dialect(current.opening.dialect);
        let outcome = if self.is_too_large(&current, inner) {
            self.whole(&current.opening, "payload_too_large")
        } else {
            let missing = closer_missing && dialect.closer.is_some();
            self.read_outcome(&current.opening, current.reading.as_ref(), dialect, missing)
        };
        self.end_block(current, end, outcome);
    }

    pub(super) fn end_block(&mut self, current: Box<Current>, end: usize, outcome: Outcome) {
        self.push_block(&current, end, outcome);
        self.code = current.saved;
        self.code.feed_letter(current.opening.from, true);
        self.wrappers.extend(current.waiting);
        self.quotes.end_json();
        self.quotes.take_out();
        (self.fresh, self.lone) = ((false, false), false);
        self.after_block = true;
        self.at = end;
        self.state = State::Prose;
        if let Some(mark) = &mut self.mark {
            mark.behind = end;
        }
    }

    /// The block with the tags of its wrappers.
    pub(super) fn push_block(&mut self, current: &Current, end: usize, outcome: Outcome) {
        let next = current.waiting.iter().skip(1).chain([&current.opening]);
        for (opening, next) in current.waiting.iter().zip(next) {
            self.item(opening.from, opening.to, self.wrapping(opening));
            self.item(opening.to, next.from, Kind::Space);
        }
        let dialect = current.opening.dialect;
        self.item(current.opening.from, end, Kind::Block { dialect, outcome });
    }

    /// An opener that wraps: a tag, or a call that is lost, where it has a header (D8).
    pub(super) fn wrapping(&self, opening: &Opening) -> Kind {
        let (number, dialect) = (opening.dialect, self.setup.dialect(opening.dialect));
        if opening.headed && dialect.named.is_none() && dialect.reader != Reader::Blocks {
            return Kind::Block { dialect: number, outcome: self.rejected_opener(opening) };
        }
        Kind::Tag { dialect: number }
    }

    fn is_too_large(&self, current: &Current, inner: usize) -> bool {
        let limit = self.setup.dialect(current.opening.dialect).limit.map(|limit| self.setup.limit.unwrap_or(limit));
        limit.is_some_and(|limit| !current.opening.reserved && inner.saturating_sub(current.opening.to) > limit)
    }

    /// A block that is rejected as a whole.
    pub(super) fn rejected(&self, current: &Current, inner: usize, code: &'static str) -> Outcome {
        let code = if self.is_too_large(current, inner) { "payload_too_large" } else { code };
        self.whole(&current.opening, code)
    }

    /// An opener that begins no block and means a call: a control token, or one with a name.
    pub(super) fn rejected_opener(&self, opening: &Opening) -> Outcome {
        self.whole(opening, "not_json")
    }

    pub(super) fn whole(&self, opening: &Opening, code: &'static str) -> Outcome {
        let dialect = self.setup.dialect(opening.dialect);
        let meant = code != "empty" || opening.headed || is_always_meant(dialect);
        let error = if code == "payload_too_large" { TOO_LARGE } else { UNREADABLE };
        let unreadable = if meant && !self.setup.judge.native { vec![(0, None, error)] } else { Vec::new() };
        Outcome { codes: vec![code], unreadable, meant, ..Outcome::default() }
    }

    /// What a payload that was read came to.
    pub(super) fn read_outcome(
        &self,
        opening: &Opening,
        reading: Option<&Reading>,
        dialect: &Dialect,
        closer_missing: bool,
    ) -> Outcome {
        let judge = &self.setup.judge;
        let name = opening.name.as_ref();
        let header = name.map(|name| self.setup.effective_of(&name.text, name.numbered.as_deref().unwrap_or(&name.text)));
        let mut repairs: Vec<&'static str> = Vec::new();
        let mut empty = false;
        let entries = match reading {
            Some(Reading::Json(reader)) => {
                repairs.extend(reader.edits.iter().map(|edit| edit.code));
                if reader.fenced && !dialect.fence_expected && !dialect.fence_open {
                    repairs.push("code_fence");
                }
                empty = dialect.reader != Reader::JsonArguments
                    && reader.values.iter().all(|value| value.is_array && value.elements.is_empty());
                judge.json(reader, &self.source, dialect, header.or(dialect.named.as_deref()))
            }
            Some(Reading::Parameters(reader)) => {
                if reader.end_repaired {
                    repairs.push("parameter_end");
                }
                let name = header.or(reader.line.as_deref()).or(dialect.named.as_deref()).unwrap_or_default();
                if let Some(json) = &reader.json {
                    repairs.extend(json.edits.iter().map(|edit| edit.code));
                    match find("tool_call").filter(|_| dialect.name_in_first_line && name.is_empty()) {
                        Some(form) => judge.json(json, &self.source, form, None),
                        None => vec![judge.arguments(json, &self.source, dialect, name)],
                    }
                } else {
                    let alone = opening.name.as_ref().and_then(|name| name.alone.as_deref()).filter(|_| reader.params.is_empty());
                    vec![judge.parameters(alone.unwrap_or(name), &reader.params, true, false, dialect)]
                }
            }
            Some(Reading::Literals(reader)) if reader.value().is_some() => {
                let own = Some(dialect).filter(|_| dialect.reader == Reader::PythonValues);
                let form = own.or_else(|| find("tool_call").map(AsRef::as_ref)).unwrap_or(dialect);
                let source = Source::whole(reader.value().unwrap_or_default());
                let mut json = JsonReader::new(0, None, Some(None));
                json.read(&source, &self.markers);
                empty = json.values.iter().all(|value| value.is_array && value.elements.is_empty());
                judge.json(&json, &source, form, None)
            }
            Some(Reading::Literals(reader)) => {
                empty = reader.calls.is_empty();
                judge.literals(&reader.calls, dialect)
            }
            Some(Reading::Quoted(reader)) => {
                let name = self.setup.tool_name(&reader.name);
                vec![judge.parameters(name, &reader.params, false, false, dialect)]
            }
            None => Vec::new(),
        };
        if closer_missing {
            repairs.push("missing_closer");
        }
        if repairs.iter().any(|code| !dialect.takes_repair(code)) {
            return self.whole(opening, "invalid_json");
        }
        let as_a_whole = matches!(entries.as_slice(), [Entry::Rejected("not_a_call", _)]);
        if empty && !as_a_whole {
            return self.whole(opening, "empty");
        }
        self.outcome(entries, repairs, dialect)
    }

    fn outcome(&self, entries: Vec<Entry>, repairs: Vec<&'static str>, dialect: &Dialect) -> Outcome {
        let mut outcome = Outcome::default();
        let mut name_of_first = None;
        let mut not_a_call = false;
        for entry in entries {
            match entry {
                Entry::Call(call) => {
                    outcome.values.push((Some(call.name.clone()), true));
                    if !is_sendable(&call.name) {
                        outcome.codes.push("name_not_sendable");
                    }
                    outcome.calls.push(call);
                }
                Entry::Rejected(code, name) => {
                    outcome.codes.push(code);
                    let listed = name.clone().filter(|_| code != "declaration");
                    outcome.values.push((listed, code == "beside_native_calls"));
                    not_a_call = not_a_call || code == "not_a_call";
                    if code != "declaration" && code != "not_a_call" {
                        outcome.unreadable.push((outcome.calls.len(), name, UNREADABLE));
                    } else if name_of_first.is_none() {
                        name_of_first = name;
                    }
                }
            }
        }
        let bare = outcome.calls.is_empty() && outcome.unreadable.is_empty();
        if bare && (not_a_call || is_always_meant(dialect)) {
            outcome.unreadable.push((0, name_of_first.filter(|_| !not_a_call), UNREADABLE));
        }
        let beside = outcome.codes.contains(&"beside_native_calls");
        outcome.meant = beside || !outcome.calls.is_empty() || !outcome.unreadable.is_empty();
        if self.setup.judge.native {
            outcome.unreadable.clear();
        }
        if !outcome.calls.is_empty() {
            outcome.repairs = repairs;
        }
        outcome
    }
}

/// Whether each rejected block of a dialect was meant as a call.
pub(super) fn is_always_meant(dialect: &Dialect) -> bool {
    dialect.id == "harmony-pseudo" || dialect.messages.is_some()
}
