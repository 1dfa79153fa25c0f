//! Dialects and formats, read from their descriptors.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::markers::{Header, Pattern};
use crate::shared::data::{DIALECTS, FORMATS};

/// What reads the payload of a dialect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Reader {
    JsonValues,
    JsonObject,
    JsonArray,
    JsonArguments,
    Parameters,
    PythonCalls,
    PythonValues,
    QuotedObject,
    /// None: its messages hold the blocks of all other dialects.
    Blocks,
}

/// How the value of a parameter is written, and what that says of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    String,
    Json,
    Typed,
}

#[derive(Clone)]
pub(super) struct ValueBegin {
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) end: String,
}

/// How messages are written.
#[derive(Clone)]
pub(super) struct Messages {
    pub(super) channel: Option<String>,
    pub(super) recipient: Option<String>,
    pub(super) prefix: String,
    pub(super) types: Option<Vec<String>>,
    pub(super) kinds: HashMap<String, String>,
    pub(super) ends: Vec<String>,
    pub(super) stripped: Option<[String; 3]>,
}

#[derive(Clone)]
pub(super) struct Dialect {
    pub(super) id: String,
    pub(super) default: bool,
    /// Whether it is active beside those of a format.
    pub(super) common: bool,
    /// Whether that is so only where fences are read.
    pub(super) in_code: bool,
    /// Whether NAME in its tags stands for each effective tool.
    pub(super) each_tool: bool,
    /// Names of which it has no tags, in lower case.
    pub(super) words: Vec<String>,
    pub(super) excludes: Vec<String>,
    pub(super) opener: Option<Pattern>,
    pub(super) closer: Option<Pattern>,
    pub(super) section: Option<(Pattern, Pattern)>,
    pub(super) header: Arc<Header>,
    pub(super) messages: Option<Arc<Messages>>,
    pub(super) reader: Reader,
    pub(super) names: Vec<String>,
    pub(super) arguments: Vec<String>,
    pub(super) nested: Option<String>,
    pub(super) keyed: bool,
    /// The members that can hold calls, or one, and what can hold the call in each element of the first.
    pub(super) calls: Option<[String; 3]>,
    pub(super) separator: Option<char>,
    pub(super) words_behind: bool,
    pub(super) fence_expected: bool,
    /// Whether its opener holds the first run of a fence, three backticks.
    pub(super) fence_open: bool,
    pub(super) repairs: Option<Vec<String>>,
    pub(super) limit: Option<usize>,
    pub(super) exact_members: bool,
    pub(super) object_arguments: bool,
    pub(super) verbatim_name: bool,
    pub(super) name_in_first_line: bool,
    pub(super) name_begin: String,
    pub(super) name_end: String,
    /// Whether the begins of a value are a list, which stand directly behind a name.
    pub(super) listed_begins: bool,
    /// What can stand around JSON in the place of parameters.
    pub(super) json: Option<(String, String)>,
    pub(super) value_begins: Vec<ValueBegin>,
    pub(super) value_end: String,
    pub(super) bare_value: bool,
    /// Whether a value can be elements.
    pub(super) elements: bool,
    pub(super) keeps_ends: bool,
    pub(super) python: bool,
    pub(super) null_text: bool,
    pub(super) list: bool,
    pub(super) quote: String,
    pub(super) typed: bool,
    /// The arguments of this tool are the payload (guided output, a tag of a tool).
    pub(super) named: Option<String>,
}

impl Dialect {
    pub(super) fn takes_repair(&self, code: &str) -> bool {
        self.repairs.as_ref().is_none_or(|listed| listed.iter().any(|each| each == code))
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

fn dialect(data: &Value) -> Dialect {
    let payload = &data["payload"];
    let is = |value: &Value| value == &Value::Bool(true);
    let listed_begins = payload["value_begin"].is_array();
    let begin = |each: &Value| ValueBegin {
        text: text(&each["text"]),
        kind: match each["kind"].as_str() {
            Some("string") => Kind::String,
            Some("json") => Kind::Json,
            _ => Kind::Typed,
        },
        end: text(&each["end"]),
    };
    let plain = || vec![ValueBegin { text: text(&payload["value_begin"]), kind: Kind::Typed, end: String::new() }];
    Dialect {
        id: text(&data["id"]),
        default: is(&data["default"]),
        common: !data["common"].is_null(),
        in_code: data["common"].is_string(),
        each_tool: is(&data["each_tool"]),
        words: texts(&data["words"]),
        excludes: texts(&data["excludes"]),
        opener: Pattern::opener(&data["opener"]),
        closer: Pattern::closer(&data["closer"]),
        section: data.get("section").and_then(|each| Some((Pattern::opener(&each["opener"])?, Pattern::closer(&each["closer"])?))),
        header: Header::of(&data["opener"], &data["closer"], payload).into(),
        messages: data["opener"].get("messages").map(|each| messages(each).into()),
        reader: match payload["scanner"].as_str() {
            Some("json_object") => Reader::JsonObject,
            Some("json_array") => Reader::JsonArray,
            Some("json_arguments") => Reader::JsonArguments,
            Some("parameters") => Reader::Parameters,
            Some("python_calls") => Reader::PythonCalls,
            Some("python_values") => Reader::PythonValues,
            Some("quoted_object") => Reader::QuotedObject,
            Some("blocks") => Reader::Blocks,
            _ => Reader::JsonValues,
        },
        names: texts(&payload["names"]),
        arguments: texts(&payload["arguments"]),
        nested: payload["nested"].as_str().map(str::to_owned),
        keyed: is(&payload["keyed"]),
        calls: payload.get("calls").map(|each| ["member", "one", "nested"].map(|name| text(&each[name]))),
        separator: payload["separator"].as_str().and_then(|each| each.chars().next()),
        words_behind: is(&payload["words_behind"]),
        fence_expected: payload["fence"] == "expected",
        fence_open: payload["fence"] == "open",
        repairs: data.get("repairs").map(texts),
        limit: data["limit_bytes"].as_u64().and_then(|each| usize::try_from(each).ok()),
        exact_members: data["values"]["members"] == "exact",
        object_arguments: data["values"]["arguments"] == "object",
        verbatim_name: data["values"]["name"] == "verbatim",
        name_in_first_line: is(&payload["name_in_first_line"]),
        name_begin: text(&payload["name_begin"]),
        name_end: text(&payload["name_end"]),
        listed_begins,
        json: payload.get("json").map(|each| (text(&each["begin"]), text(&each["end"]))),
        value_begins: payload["value_begin"].as_array().map_or_else(plain, |list| list.iter().map(begin).collect()),
        value_end: text(&payload["value_end"]),
        elements: is(&payload["elements"]),
        bare_value: is(&payload["bare_value"]),
        keeps_ends: payload["trim"] == "none",
        python: is(&payload["python"]),
        null_text: is(&payload["null_text"]),
        list: is(&payload["list"]),
        quote: text(&payload["quote"]),
        typed: is(&payload["typed"]),
        named: None,
    }
}

fn messages(data: &Value) -> Messages {
    let kinds = data["kinds"].as_object().into_iter().flatten().map(|(name, kind)| (name.clone(), text(kind))).collect();
    let stripped = data.get("stripped").map(|each| [text(&each["reasoning"]), text(&each["content"]), text(&each["call"])]);
    Messages {
        channel: data["channel"].as_str().map(str::to_owned),
        recipient: data["recipient"].as_str().map(str::to_owned),
        prefix: text(&data["prefix"]),
        types: data.get("types").map(texts),
        kinds,
        ends: texts(&data["ends"]),
        stripped,
    }
}

/// What a family of models writes.
pub(super) struct Format {
    pub(super) dialects: Vec<String>,
    pub(super) reasoning: Option<Vec<(Pattern, Pattern)>>,
    /// What can follow each opener of reasoning.
    pub(super) labels: Vec<String>,
    pub(super) tokens: Vec<String>,
    /// The tokens that end reasoning.
    pub(super) answer: Vec<String>,
    pub(super) control: bool,
}

fn format(data: &Value) -> Format {
    let pair = |each: &Value| Some((Pattern::opener(&each["open"])?, Pattern::closer(&each["close"])?));
    Format {
        dialects: texts(&data["dialects"]),
        reasoning: data.get("reasoning").map(|list| list.as_array().into_iter().flatten().filter_map(pair).collect()),
        labels: data["reasoning"].as_array().into_iter().flatten().map(|each| text(&each["label"])).collect(),
        tokens: texts(&data["tokens"]),
        answer: texts(&data["answer"]),
        control: data["control"] == true,
    }
}

fn read<T>(files: &[&str], make: fn(&Value) -> T) -> Vec<(String, T)> {
    let parsed = files.iter().filter_map(|file| serde_json::from_str::<Value>(file).ok());
    parsed.map(|data| (text(&data["id"]), make(&data))).collect()
}

/// All dialects, in the order of their ids.
pub(super) fn dialects() -> &'static [(String, Arc<Dialect>)] {
    static ALL: OnceLock<Vec<(String, Arc<Dialect>)>> = OnceLock::new();
    ALL.get_or_init(|| read(DIALECTS, |data| dialect(data).into()))
}

pub(super) fn format_of(id: &str) -> Option<&'static Format> {
    static ALL: OnceLock<HashMap<String, Format>> = OnceLock::new();
    ALL.get_or_init(|| read(FORMATS, format).into_iter().collect()).get(id)
}
