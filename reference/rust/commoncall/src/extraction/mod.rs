//! Extraction: which calls are hidden in the text that the model wrote?

mod code;
mod descriptors;
mod json;
mod literals;
mod machine;
mod markers;
mod messages;
mod output;
mod parameters;
mod quotes;
mod result;
mod setup;
mod typed;
mod values;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::shared::outcome::{Environment, Failure, Object, Outcome};
use crate::shared::schema;
use machine::{Kind, Machine};
use output::Output;
pub use output::{Event, Unreadable};
pub(crate) use result::random_id;
use setup::Setup;
pub(crate) use typed::Tools;
pub use values::Call;

/// `extraction.extract`: finds the calls in a text, and what is left of the text.
///
/// ```
/// use commoncall::{Environment, extraction, serde_json::json};
///
/// let text = "Let me look. <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1,}}";
/// let result = extraction::extract(&json!({"text": text, "effective": ["f"]}), Environment::default())?;
/// assert_eq!(result["content"], "Let me look.");
/// assert_eq!(result["tool_calls"][0]["arguments"], json!({"a": 1}));
/// # Ok::<(), commoncall::Failure>(())
/// ```
///
/// # Errors
/// `invalid_input`, `env_exhausted`.
pub fn extract(input: &Value, environment: Environment) -> Outcome {
    extracted(schema::input("extraction:extract", input)?, environment)
}

/// `extraction.stream`: does the same for a text that arrives in chunks.
///
/// # Errors
/// `invalid_input`, `env_exhausted`.
pub fn stream(input: &Value, environment: Environment) -> Outcome {
    let input = schema::input("extraction:stream", input)?;
    let mut extractor = Extractor::with(Setup::of(input)?.into());
    let mut emitted = Vec::new();
    for chunk in input.get("chunks").and_then(Value::as_array).into_iter().flatten() {
        emitted.push(output::shown(extractor.push(chunk.as_str().unwrap_or_default())));
    }
    let (events, result) = extractor.end(environment)?;
    emitted.push(output::shown(events));
    Ok(json!({"result": result, "emitted": emitted}))
}

/// Extracts from a text that arrives in pieces.
///
/// ```
/// use commoncall::{Environment, extraction::{Event, Extractor}, serde_json::json};
///
/// let mut extractor = Extractor::new(&json!({"effective": ["f"]}))?;
/// assert_eq!(extractor.push("Hi <tool"), [Event::Text("Hi".into())]);
/// assert_eq!(extractor.push("_call>{\"name\": \"f\", \"arguments\": {}}"), []);
/// assert_eq!(extractor.push("</tool_call>"), [Event::Call(0)]);
/// assert_eq!(extractor.call(0).map(|call| call.name.as_str()), Some("f"));
/// let (_, result) = extractor.end(Environment::default())?;
/// assert_eq!(result["tool_calls"][0]["name"], "f");
/// # Ok::<(), commoncall::Failure>(())
/// ```
pub struct Extractor {
    setup: Arc<Setup>,
    machine: Machine,
    output: Output,
    shown: usize,
    items: usize,
    /// In which item each call stands that was shown, and as which of it.
    calls: Vec<(usize, usize)>,
    /// How many bytes of the reasoning that goes on are shown.
    thought: Option<usize>,
    /// Whether a header of a message to show has come.
    has_content: bool,
}

impl Extractor {
    /// An extractor for the input of `extraction.extract` without its text.
    ///
    /// # Errors
    /// `invalid_input`.
    pub fn new(input: &Value) -> Result<Self, Failure> {
        let mut whole = input.as_object().cloned().ok_or_else(|| Failure::of("invalid_input"))?;
        whole.insert("chunks".into(), json!([]));
        let whole = Value::Object(whole);
        Ok(Self::with(Setup::of(schema::input("extraction:stream", &whole)?)?.into()))
    }

    /// An extractor for a further text, which is read with the same input.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::with(Arc::clone(&self.setup))
    }

    fn with(setup: Arc<Setup>) -> Self {
        Self {
            machine: Machine::new(Arc::clone(&setup)),
            setup,
            output: Output::default(),
            shown: 0,
            items: 0,
            calls: Vec::new(),
            thought: None,
            has_content: false,
        }
    }

    /// Takes a piece of the text, and gives what is decided with it.
    pub fn push(&mut self, text: &str) -> Vec<Event> {
        self.read(text);
        self.output.take()
    }

    fn read(&mut self, text: &str) {
        self.machine.push(text);
        self.flush();
    }

    /// The text has ended. Gives what is decided by that, and the result.
    ///
    /// # Errors
    /// `env_exhausted`.
    pub fn end(mut self, environment: Environment) -> Result<(Vec<Event>, Value), Failure> {
        Ok((self.finish(), self.result(environment)?))
    }

    /// The text has ended: gives what is decided by that, and leaves the result to [`Self::result`]. No piece may follow.
    pub fn finish(&mut self) -> Vec<Event> {
        self.finish_reading();
        self.output.take()
    }

    /// The result of a text that has ended.
    ///
    /// # Errors
    /// `env_exhausted`.
    pub fn result(self, environment: Environment) -> Outcome {
        result::result(self.machine, &self.setup, self.output, environment)
    }

    /// The text that has come.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.machine.source.text
    }

    /// From which byte to which the texts stand so far that quotation marks make text, though they hold openers.
    #[must_use]
    pub fn marked(&self) -> &[(usize, usize)] {
        &self.machine.marked
    }

    /// A call that was shown.
    #[must_use]
    pub fn call(&self, number: usize) -> Option<&Call> {
        let &(item, number) = self.calls.get(number)?;
        match &self.machine.items[item].kind {
            Kind::Block { outcome, .. } => outcome.calls.get(number),
            _ => None,
        }
    }

    fn finish_reading(&mut self) {
        self.machine.end();
        self.flush();
        self.output.end();
    }

    fn flush(&mut self) {
        let limit = self.machine.decided();
        while let Some(item) = self.machine.items.get(self.items).filter(|item| item.to <= limit) {
            if item.from < self.shown && !matches!(item.kind, Kind::Reasoning { .. }) {
                break;
            }
            self.output.text(self.machine.source.slice(self.shown, item.from));
            match &item.kind {
                Kind::Reasoning { text, codes } => {
                    if let Some((from, to)) = *text {
                        let done = self.thought.take();
                        if done.is_none() {
                            self.output.begin_reasoning();
                        }
                        self.output.think(self.machine.source.slice(from + done.unwrap_or(0), to));
                    }
                    if item.to > item.from || text.is_some() {
                        self.output.removed();
                    }
                    for _ in codes.iter().filter(|code| **code == "in_reasoning" && !self.setup.judge.native) {
                        self.output.lost(None, machine::UNREADABLE);
                    }
                }
                Kind::Block { outcome, .. } => {
                    self.output.removed();
                    let mut unreadable = outcome.unreadable.iter().peekable();
                    for number in 0..=outcome.calls.len() {
                        while let Some((_, name, error)) = unreadable.next_if(|(before, ..)| *before == number) {
                            self.output.lost(name.clone(), error);
                        }
                        if number < outcome.calls.len() {
                            self.output.call();
                            self.calls.push((self.items, number));
                        }
                    }
                }
                Kind::Line => {
                    self.output.removed();
                    if std::mem::replace(&mut self.has_content, true) {
                        self.output.text("\n");
                    }
                }
                _ => self.output.removed(),
            }
            self.shown = self.shown.max(item.to);
            self.items += 1;
        }
        if self.shown < limit {
            self.output.text(self.machine.source.slice(self.shown, limit));
            self.shown = limit;
        }
        if let Some((from, to)) = self.machine.thought() {
            if self.thought.is_none() {
                self.output.removed();
                self.output.begin_reasoning();
            }
            let done = self.thought.unwrap_or(0);
            self.output.think(self.machine.source.slice(from + done, to));
            self.thought = Some(done.max(to - from));
        }
    }
}

/// The extraction of an input that is known to be good.
pub(crate) fn extracted(input: &Object, environment: Environment) -> Outcome {
    let mut extractor = Extractor::with(Setup::of(input)?.into());
    extractor.read(input.get("text").and_then(Value::as_str).unwrap_or_default());
    extractor.finish_reading();
    extractor.result(environment)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::markers::LOOKS;
    use super::{Environment, Extractor, Failure};

    /// How many characters are looked at one by one in a text that comes in pieces of 4 characters.
    fn looks(format: &str, begin: &str, rest: &str) -> Result<usize, Failure> {
        let mut extractor = Extractor::new(&json!({"effective": ["f"], "format": format}))?;
        extractor.push(begin);
        LOOKS.set(0);
        let characters: Vec<char> = rest.chars().collect();
        characters.chunks(4).for_each(|piece| _ = extractor.push(&String::from_iter(piece)));
        extractor.end(Environment::default())?;
        Ok(LOOKS.get())
    }

    #[test]
    fn no_character_is_looked_at_again_and_again() -> Result<(), Failure> {
        let blanks = " ".repeat(20_000);
        for begin in ["<tool_call", "<tool_call>", "<tool_call>{}", "```json", "<function=f><parameter=a>x</parameter>", "> - "] {
            let format = if begin.starts_with("<f") { "qwen3-coder" } else { "hermes" };
            let looks = looks(format, begin, &blanks)?;
            assert!(looks <= 3 * blanks.len(), "{looks} looks behind {begin}");
        }
        Ok(())
    }

    #[test]
    fn no_piece_of_code_is_told_again() -> Result<(), Failure> {
        let mut extractor = Extractor::new(&json!({"effective": ["f"]}))?;
        for _ in 0..1_000 {
            for piece in ["`` `", " <to", "ol_c", "all>"] {
                extractor.push(piece);
            }
        }
        extractor.finish_reading();
        let pieces = extractor.machine.pieces.len();
        assert!(pieces <= 2_000, "{pieces} pieces");
        Ok(())
    }

    #[test]
    fn what_means_nothing_is_not_looked_at() -> Result<(), Failure> {
        let line = "- The quick *brown* fox [jumps](x) over the `lazy` dog; 3 < 5 holds!\n";
        let mut extractor = Extractor::new(&json!({"effective": ["f"]}))?;
        LOOKS.set(0);
        extractor.push(&line.repeat(100));
        let prose = LOOKS.replace(0);
        assert!(prose < 10, "{prose} looks in prose");
        extractor.push("<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"");
        LOOKS.set(0);
        extractor.push(&line.repeat(100).replace('\n', " "));
        assert!(LOOKS.get() < 10, "{} looks in a string", LOOKS.get());
        Ok(())
    }
}
