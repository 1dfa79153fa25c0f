//! What a text is read with: the active dialects, the markers, and what the caller asked for.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::descriptors::{Dialect, Reader, dialects, format_of};
use super::markers::{Markers, Pattern, ToolTags};
use super::messages::MessageSet;
use super::typed::Tools;
use super::values::Judge;
use crate::shared::outcome::{Failure, Object};
use crate::shared::text::is_json_space;

/// Where the text begins.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Begin {
    Open,
    Closed,
    None,
}

pub(super) struct Setup {
    pub(super) dialects: Vec<Arc<Dialect>>,
    /// Those of the tools, made where a tag of one is met.
    tools: Vec<OnceLock<Dialect>>,
    pub(super) markers: Arc<Markers>,
    pub(super) messages: Option<MessageSet>,
    /// The dialect whose messages hold the blocks of all others.
    pub(super) holder: Option<usize>,
    /// The closers of reasoning, by its opener. The first is of reasoning that the prompt opened.
    pub(super) closes: Vec<Pattern>,
    /// What can follow the openers of reasoning, and the tokens that end it.
    pub(super) labels: Vec<String>,
    pub(super) answer: Vec<String>,
    pub(super) control: bool,
    /// The common dialects that the format does not list.
    plain: Vec<usize>,
    pub(super) begin: Begin,
    pub(super) extract_fences: bool,
    pub(super) judge: Judge,
    /// The names of the tools of the turn, sorted, where there is a registry.
    pub(super) effective: Option<Arc<[String]>>,
    pub(super) limit: Option<usize>,
    /// The dialects of bare messages, a guided one first.
    pub(super) bare: Vec<usize>,
    pub(super) guided: bool,
    pub(super) parts: bool,
    /// The dialects of headless blocks: those of JSON, and those with a name in the first line.
    pub(super) headless: (Vec<usize>, Vec<usize>),
}

const REASONING: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

impl Setup {
    /// A dialect by its number, if it has one. Behind those that are active come those of the tools.
    pub(super) fn numbered(&self, number: usize) -> Option<&Dialect> {
        let Some(place) = number.checked_sub(self.dialects.len()) else { return Some(&self.dialects[number]) };
        let tool = self.tools.get(place)?;
        let (base, names) = self.dialects.iter().find(|dialect| dialect.each_tool).zip(self.effective.as_ref())?;
        Some(tool.get_or_init(|| of_tool(base, &names[place])))
    }

    pub(super) fn dialect(&self, number: usize) -> &Dialect {
        self.numbered(number).unwrap_or_else(|| &self.dialects[number])
    }

    /// The name behind a path with colons, where only that is effective.
    pub(super) fn tool_name<'a>(&self, written: &'a str) -> &'a str {
        self.effective_of(written, written.rsplit(':').next().unwrap_or_default().trim_matches(is_json_space))
    }

    /// A name, or another where only that is effective.
    pub(super) fn effective_of<'a>(&self, written: &'a str, other: &'a str) -> &'a str {
        let lists = |name: &str| self.effective.as_ref().is_some_and(|names| names.iter().any(|each| each == name));
        if lists(other) && !lists(written) { other } else { written }
    }

    /// Whether the markers of a dialect are control tokens.
    pub(super) fn is_control(&self, dialect: usize) -> bool {
        let is_tool = dialect >= self.dialects.len();
        self.control && !is_tool && !self.plain.contains(&dialect)
    }

    pub(super) fn of(input: &Object) -> Result<Self, Failure> {
        let is = |name: &str| input.get(name) == Some(&Value::Bool(true));
        let names = |name: &str| input.get(name).map(super::descriptors::texts);
        let format = input.get("format").and_then(Value::as_str).and_then(format_of);
        let mut effective = names("effective").filter(|_| input.get("effective") != Some(&json!("any")));
        if let Some(names) = &mut effective {
            names.sort_unstable();
        }
        let effective: Option<Arc<[String]>> = effective.map(Arc::from);
        let any = effective.as_ref().is_none_or(|names| !names.is_empty());
        let further = names("dialects");
        let excluded =
            |by: &[String]| -> Vec<&String> { by.iter().filter_map(|id| find(id)).flat_map(|dialect| &dialect.excludes).collect() };
        let defaults = || dialects().iter().filter(|(_, dialect)| dialect.default).map(|(id, _)| id.clone()).collect();
        let mut ids: Vec<String> = match (format, &further) {
            (Some(format), further) => {
                let further = further.as_deref().unwrap_or_default();
                let excluded = excluded(further);
                let own = format.dialects.iter().filter(|id| !excluded.contains(id));
                own.chain(further).cloned().collect()
            }
            (None, Some(further)) => further.clone(),
            (None, None) => defaults(),
        };
        let extract_fences = input.get("fences") == Some(&json!("extract"));
        if format.is_some() || further.is_none() {
            let is_read = |dialect: &Dialect| dialect.common && (extract_fences || !dialect.in_code);
            let excluded = excluded(&ids);
            let common = dialects().iter().filter(|(id, dialect)| is_read(dialect) && !excluded.contains(&id));
            let common: Vec<String> = common.map(|(id, _)| id.clone()).collect();
            ids.extend(common);
        }
        let mut all: Vec<&Arc<Dialect>> = ids.iter().filter_map(|id| find(id)).collect();
        let is_read = |id: &String| all.iter().any(|dialect| dialect.id == *id);
        if all.iter().flat_map(|dialect| &dialect.excludes).any(is_read) {
            return Err(Failure::of("invalid_input"));
        }
        let framing = format.iter().flat_map(|format| &format.dialects).filter_map(|id| find(id));
        let framed = all.iter().copied().filter(|_| any).chain(framing).map(Arc::as_ref).find(|dialect| dialect.messages.is_some());
        if !any {
            all.clear();
        }
        let mut active: Vec<Arc<Dialect>> = Vec::new();
        for dialect in all {
            if !active.iter().any(|other| Arc::ptr_eq(other, dialect)) {
                active.push(Arc::clone(dialect));
            }
        }
        let begin = match input.get("reasoning").and_then(Value::as_str) {
            Some("open") => Begin::Open,
            Some("none") => Begin::None,
            _ => Begin::Closed,
        };
        let reasoning: Vec<(Pattern, Pattern)> = match format.and_then(|format| format.reasoning.clone()) {
            Some(pairs) => pairs,
            None => REASONING.iter().map(|name| (Pattern::Tag((*name).into()), Pattern::Closing((*name).into()))).collect(),
        };
        let tokens = format.map(|format| format.tokens.clone()).unwrap_or_default();
        let guided = input.get("guided").filter(|_| !active.is_empty());
        if let Some(dialect) = guided.and_then(guided_dialect) {
            active.push(dialect.into());
        }
        let mut bare: Vec<usize> = (0..active.len()).filter(|&at| active[at].opener.is_none()).collect();
        if guided.is_some() {
            bare.rotate_right(1);
        }
        let control = format.is_some_and(|format| format.control);
        // Only these ask what tools declare, and long declarations take longer to copy than a text to read.
        let types = active.iter().any(|each| matches!(each.reader, Reader::Parameters | Reader::QuotedObject));
        let declared = input.get("tools").filter(|_| types).and_then(Value::as_array);
        let listed = |id: &String| format.is_some_and(|format| format.dialects.contains(id));
        let is_plain = |at: &usize| active[*at].common && !listed(&active[*at].id);
        let plain: Vec<usize> = (0..active.len()).filter(is_plain).collect();
        let (mut markers, messages) = markers(&active, &reasoning, framed, (begin != Begin::None, control), tokens);
        if begin != Begin::None {
            markers.set_closes(reasoning.iter().map(|(_, close)| close.clone()));
        }
        for &at in &plain {
            markers.add_plain(at);
        }
        for (at, dialect) in active.iter().enumerate().filter(|(at, _)| control && !plain.contains(at)) {
            // What begins as a tag of XML can be one of an answer.
            let is_stray = |rest: &str| !rest.starts_with(|sign: char| sign.is_ascii_alphabetic());
            if dialect.name_begin.strip_prefix('<').is_some_and(is_stray) {
                markers.add_stray(&dialect.name_begin, at);
            }
            let end = dialect.value_end.strip_prefix('<').map(|rest| rest.strip_prefix('/').unwrap_or(rest));
            if end.is_some_and(is_stray) {
                markers.add_stray_end(&dialect.value_end);
            }
        }
        let each_tool = active.iter().find(|dialect| dialect.each_tool);
        if let Some(dialect) = each_tool {
            markers.set_pairs(dialect);
        }
        let tags = each_tool.zip(effective.as_ref());
        let tools = tags.map_or(0, |(_, names)| names.len());
        if let Some((dialect, names)) = tags {
            markers.set_tools(ToolTags { first: active.len(), names: Arc::clone(names), dialect: Arc::clone(dialect) });
        }
        let held = |at: &usize| active.get(*at).is_some_and(|dialect| dialect.reader == Reader::Blocks);
        Ok(Self {
            holder: messages.as_ref().and_then(|messages| messages.dialect).filter(held),
            markers: markers.into(),
            messages,
            closes: reasoning.iter().map(|(_, close)| close.clone()).collect(),
            labels: format.map(|format| format.labels.clone()).unwrap_or_default(),
            answer: format.map(|format| format.answer.clone()).unwrap_or_default(),
            control,
            plain,
            begin,
            extract_fences,
            judge: Judge { native: is("native_calls"), tools: Tools::new(declared.cloned().unwrap_or_default()) },
            tools: std::iter::repeat_with(OnceLock::new).take(tools).collect(),
            effective,
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a limit is a whole number of at least 1")]
            limit: input.get("limits").and_then(|limits| limits["payload_bytes"].as_f64()).map(|limit| limit as usize),
            bare,
            guided: guided.is_some(),
            parts: is("parts"),
            headless: headless(&active),
            dialects: active,
        })
    }
}

/// The markers of the active dialects and of reasoning, and how the text is read in messages.
fn markers(
    dialects: &[Arc<Dialect>],
    reasoning: &[(Pattern, Pattern)],
    framed: Option<&Dialect>,
    (reasons, control): (bool, bool),
    tokens: Vec<String>,
) -> (Markers, Option<MessageSet>) {
    let mut markers = Markers::new(control);
    for token in &tokens {
        markers.add_token(token);
    }
    let mut sorted: Vec<_> = dialects.iter().enumerate().collect();
    sorted.sort_by_key(|(_, dialect)| &dialect.id);
    for (at, dialect) in sorted.into_iter().filter(|(_, dialect)| !dialect.each_tool) {
        if let Some((open, close)) = &dialect.section {
            markers.add_opener(open, at, true, &Arc::default());
            markers.add_closer(close, at, true);
        }
        if let (Some(open), None) = (&dialect.opener, &dialect.messages) {
            markers.add_opener(open, at, false, &dialect.header);
        }
        if let (Some(close), None) = (&dialect.closer, &dialect.messages) {
            markers.add_closer(close, at, false);
        }
    }
    for (at, (open, close)) in reasoning.iter().enumerate().filter(|_| reasons) {
        markers.add_reasoning(open, control.then_some(close), at);
    }
    let Some((dialect, (Some(spec), Some(Pattern::Headed(text))))) = framed.map(|each| (each, (&each.messages, &each.opener)))
    else {
        return (markers, None);
    };
    let number = dialects.iter().position(|each| each.id == dialect.id);
    let set =
        MessageSet { spec: Arc::clone(spec), header: Arc::clone(&dialect.header), text: Arc::clone(text), dialect: number, tokens };
    markers.set_messages(set.clone());
    (markers, Some(set))
}

/// The dialects whose blocks can lack their opener.
fn headless(active: &[Arc<Dialect>]) -> (Vec<usize>, Vec<usize>) {
    let plain = |dialect: &Dialect| {
        let opener = matches!(dialect.opener, Some(Pattern::Tag(_) | Pattern::Text(_)));
        opener && dialect.closer.is_some() && dialect.repairs.is_none() && !dialect.fence_expected
    };
    let json = |reader| matches!(reader, Reader::JsonValues | Reader::JsonObject | Reader::JsonArray);
    let of = |fits: &dyn Fn(&Dialect) -> bool| (0..active.len()).filter(|&at| plain(&active[at]) && fits(&active[at])).collect();
    (of(&|dialect| json(dialect.reader)), of(&|dialect| dialect.name_in_first_line))
}

pub(super) fn find(id: &str) -> Option<&'static Arc<Dialect>> {
    static BY_ID: OnceLock<HashMap<&str, &Arc<Dialect>>> = OnceLock::new();
    BY_ID.get_or_init(|| dialects().iter().map(|(id, dialect)| (id.as_str(), dialect)).collect()).get(id).copied()
}

fn of_tool(dialect: &Dialect, name: &str) -> Dialect {
    let (opener, closer) = (Some(Pattern::Tag(name.into())), Some(Pattern::Closing(name.into())));
    Dialect { opener, closer, named: Some(name.to_owned()), each_tool: false, ..dialect.clone() }
}

/// The dialect of a guided payload.
fn guided_dialect(guided: &Value) -> Option<Dialect> {
    let mut dialect = Dialect::clone(find("bare-json")?);
    dialect.separator = None;
    dialect.words_behind = false;
    dialect.named = guided.get("named").and_then(Value::as_str).map(str::to_owned);
    dialect.reader = if dialect.named.is_some() { Reader::JsonArguments } else { Reader::JsonArray };
    Some(dialect)
}
