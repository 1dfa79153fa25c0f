//! A message that arrives in chunks.

use serde_json::{Value, json};

use super::join::joined;
use super::receive::{reading, receive, refuse_turn};
use crate::extraction::{Event, Extractor};
use crate::payload::Flags;
use crate::shared::findings::listed;
use crate::shared::json::elements;
use crate::shared::outcome::{Environment, Failure, Object, Outcome};
use crate::shared::schema;

pub(super) fn stream(given: &Value, environment: Environment) -> Outcome {
    let input = schema::input("turn:stream", given)?;
    let flags = Flags::of(input.get("profile"));
    refuse_turn(input, &flags)?;
    let chunks = elements(input.get("chunks"));
    refuse_chunks(chunks)?;
    let join = joined(chunks, &flags);
    let mut asked = input.clone();
    asked.shift_remove("chunks");
    asked.insert("message".into(), join.joined.clone().into());
    let received = receive(&asked.into(), environment)?;

    let mut shown = Shown::of(input)?;
    let mut lists = Vec::new();
    for piece in &join.pieces {
        let spoken = piece.spoken.concat();
        lists.push(shown.chunk(&spoken, &piece.refusal, piece.has_entry));
    }
    lists.push(shown.end()?);
    Ok(json!({"message": join.joined, "received": received, "shown": lists, "findings": listed(join.findings)}))
}

/// The error of a chunk with a second choice (TRN-061).
fn refuse_chunks(chunks: &[Value]) -> Result<(), Failure> {
    for chunk in chunks.iter().filter_map(Value::as_object) {
        let several = match chunk.get("choices").and_then(Value::as_array).map(Vec::as_slice) {
            Some([only]) => only
                .as_object()
                .and_then(|choice| choice.get("index"))
                .is_some_and(|index| !index.is_null() && index.as_f64() != Some(0.0)),
            Some(choices) => choices.len() > 1,
            None => false,
        };
        if several {
            return Err(Failure::of("choice_not_single"));
        }
    }
    Ok(())
}

/// What a reading has emitted.
struct Reading {
    extractor: Option<Extractor>,
    text: String,
    reasoning: String,
}

impl Reading {
    fn of(input: &Object, native: bool) -> Result<Self, Failure> {
        let extractor = Extractor::new(&reading(input, native).into())?;
        Ok(Self { extractor: Some(extractor), text: String::new(), reasoning: String::new() })
    }

    fn take(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::Text(text) => self.text.push_str(&text),
                Event::Reasoning(text) => self.reasoning.push_str(&text),
                Event::Call(_) | Event::Unreadable(_) => {}
            }
        }
    }

    fn push(&mut self, text: &str) {
        let events = self.extractor.as_mut().map_or(Vec::new(), |extractor| extractor.push(text));
        self.take(events);
    }

    fn end(&mut self) -> Result<(), Failure> {
        if let Some(extractor) = self.extractor.take() {
            let (events, _) = extractor.end(Environment::default())?;
            self.take(events);
        }
        Ok(())
    }
}

/// What can be shown, whichever reading holds.
struct Shown {
    native: Reading,
    plain: Reading,
    /// Which reading holds: `None` as long as that is not known.
    holds_native: Option<bool>,
    text: usize,
    reasoning: usize,
}

impl Shown {
    fn of(input: &Object) -> Result<Self, Failure> {
        let waits = input["plan"]["parse_native_calls"] == true;
        Ok(Self {
            native: Reading::of(input, true)?,
            plain: Reading::of(input, false)?,
            holds_native: if waits { None } else { Some(false) },
            text: 0,
            reasoning: 0,
        })
    }

    fn chunk(&mut self, spoken: &str, refusal: &str, has_entry: bool) -> Vec<Value> {
        if !spoken.is_empty() {
            self.native.push(spoken);
            self.plain.push(spoken);
        }
        if has_entry && self.holds_native.is_none() {
            self.holds_native = Some(true);
        }
        self.list(refusal)
    }

    fn end(&mut self) -> Result<Vec<Value>, Failure> {
        self.native.end()?;
        self.plain.end()?;
        self.holds_native.get_or_insert(false);
        Ok(self.list(""))
    }

    fn list(&mut self, refusal: &str) -> Vec<Value> {
        let holds = self.holds_native;
        let certain = |native: &str, plain: &str| match holds {
            Some(true) => native.to_owned(),
            Some(false) => plain.to_owned(),
            None => common(native, plain).to_owned(),
        };
        let reasoning = certain(&self.native.reasoning, &self.plain.reasoning);
        let text = certain(&self.native.text, &self.plain.text);
        let mut list = Vec::new();
        let new = |whole: &str, shown: &mut usize| {
            let piece = whole.get(*shown..).unwrap_or("").to_owned();
            *shown = whole.len().max(*shown);
            piece
        };
        for (name, piece) in [
            ("reasoning", new(&reasoning, &mut self.reasoning)),
            ("text", new(&text, &mut self.text)),
            ("refusal", refusal.to_owned()),
        ] {
            if !piece.is_empty() {
                list.push(json!({name: piece}));
            }
        }
        list
    }
}

/// The longest common beginning of two texts.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let length = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).map(|(each, _)| each.len_utf8()).sum();
    one.get(..length).unwrap_or(one)
}
