//! Which message is the result of which call, and what a result says.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::shared::data::PART_NOT_SHOWN;
use crate::shared::json::compact;
use crate::shared::outcome::Object;
use crate::shared::text::is_blank;

/// A call or a message with the role `tool`, as far as pairing looks at it.
struct End {
    /// The position of its message in the input.
    at: usize,
    round: Option<usize>,
    batch: Option<usize>,
    id: Option<String>,
    loose: Vec<String>,
    name: Option<String>,
    partner: Option<usize>,
}

/// The calls of a history with the messages that answer them.
pub(crate) struct Pairs {
    calls: Vec<End>,
    messages: Vec<End>,
    /// The call of each later result, by the position of the message.
    late: HashMap<usize, usize>,
}

/// A round: the position of its first message, its calls, the positions of its messages with the role `tool`, and
/// whether it holds more than its first message.
pub(crate) struct Round<'a> {
    pub(crate) head: usize,
    pub(crate) calls: &'a [Value],
    pub(crate) tools: Vec<usize>,
    pub(crate) holds_more: bool,
}

impl Pairs {
    /// The pairs of a history. `before` are the messages of tools in front of the first round.
    pub(crate) fn of(input: &[Value], before: &[usize], rounds: &[Round<'_>]) -> Self {
        let mut found = Self { calls: Vec::new(), messages: Vec::new(), late: HashMap::new() };
        found.messages.extend(before.iter().map(|&at| message(input, at, None, None)));
        let mut batch = 0;
        for (at, round) in rounds.iter().enumerate() {
            found.calls.extend(round.calls.iter().map(|each| call(each, round.head, at, batch)));
            found.messages.extend(round.tools.iter().map(|&tool| message(input, tool, Some(at), Some(batch))));
            batch += usize::from(round.holds_more);
        }
        found.pair();
        found.find_late(input);
        found
    }

    /// The position of the result of a call, by the number of the call in the history.
    pub(crate) fn result_of(&self, call: usize) -> Option<usize> {
        self.messages.get(self.calls.get(call)?.partner?).map(|message| message.at)
    }

    /// The number of the call whose result a message is, by the position of the message.
    pub(crate) fn calls_by_result(&self) -> HashMap<usize, usize> {
        self.messages.iter().filter_map(|each| Some((each.at, each.partner?))).collect()
    }

    /// The number of the call whose later result a message is, by the position of the message.
    pub(crate) fn calls_by_late(&self) -> &HashMap<usize, usize> {
        &self.late
    }

    /// The rows of the definition of a result.
    fn pair(&mut self) {
        let no_id = |message: &End| message.id.is_none();
        self.in_order(|call| call.id.clone(), |message| message.id.clone());
        self.in_order(|call| call.name.clone(), |message| message.name.clone().filter(|_| no_id(message)));
        self.in_order(|_| Some(String::new()), |message| no_id(message).then(String::new));
        self.only_one();
        self.last_two();
    }

    fn in_order(&mut self, of_call: impl Fn(&End) -> Option<String>, of_message: impl Fn(&End) -> Option<String>) {
        for (by_round, equal_only) in [(false, true), (true, false)] {
            let place = |end: &End| if by_round { end.round } else { end.batch };
            let mut groups: HashMap<(usize, String), (Vec<usize>, Vec<usize>)> = HashMap::new();
            for (at, end) in left(&self.calls) {
                if let (Some(place), Some(key)) = (place(end), of_call(end)) {
                    groups.entry((place, key)).or_default().0.push(at);
                }
            }
            for (at, end) in left(&self.messages) {
                if let (Some(place), Some(key)) = (place(end), of_message(end)) {
                    groups.entry((place, key)).or_default().1.push(at);
                }
            }
            for (calls, messages) in groups.into_values() {
                if !equal_only || calls.len() == messages.len() {
                    calls.into_iter().zip(messages).for_each(|(call, message)| self.join(call, message));
                }
            }
        }
    }

    /// Pairs each message with the only call left that has its loose id: one before it, or the only one of the history.
    fn only_one(&mut self) {
        let mut all: HashMap<String, usize> = HashMap::new();
        let mut open: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, call) in self.calls.iter().enumerate() {
            for key in &call.loose {
                *all.entry(key.clone()).or_default() += 1;
                open.entry(key.clone()).or_default().extend(call.partner.is_none().then_some(number));
            }
        }
        let mut count: HashMap<String, usize> = open.iter().map(|(key, calls)| (key.clone(), calls.len())).collect();
        for message in 0..self.messages.len() {
            let End { at, partner: None, loose, .. } = &self.messages[message] else { continue };
            let Some(key) = loose.first().filter(|key| count.get(*key) == Some(&1)) else { continue };
            let Some(calls) = open.get_mut(key) else { continue };
            calls.retain(|&call| self.calls[call].partner.is_none());
            let Some(&call) = calls.first() else { continue };
            if self.calls[call].at < *at || all.get(key) == Some(&1) {
                for key in &self.calls[call].loose {
                    count.entry(key.clone()).and_modify(|left| *left -= 1);
                }
                self.join(call, message);
            }
        }
    }

    fn last_two(&mut self) {
        let by_batch = |ends: &[End]| {
            let mut found: HashMap<usize, Vec<usize>> = HashMap::new();
            left(ends).for_each(|(at, end)| found.entry(end.batch.unwrap_or(usize::MAX)).or_default().push(at));
            found
        };
        let messages = by_batch(&self.messages);
        for (batch, calls) in by_batch(&self.calls) {
            if let ([call], Some([message])) = (calls.as_slice(), messages.get(&batch).map(Vec::as_slice)) {
                if self.calls[*call].id.is_none() {
                    self.join(*call, *message);
                }
            }
        }
    }

    fn join(&mut self, call: usize, message: usize) {
        self.calls[call].partner = Some(message);
        self.messages[message].partner = Some(call);
    }

    fn find_late(&mut self, input: &[Value]) {
        let mut last: HashMap<&str, usize> = HashMap::new();
        let mut next = 0;
        for message in &self.messages {
            while let Some(call) = self.calls.get(next).filter(|call| call.at < message.at) {
                call.loose.iter().for_each(|id| _ = last.insert(id, next));
                next += 1;
            }
            let call = message.loose.first().and_then(|id| last.get(id.as_str()));
            if let (None, Some(&call)) = (message.partner, call) {
                let content = |at: usize| input.get(at).and_then(|each| each.get("content")).and_then(Value::as_str);
                let result = self.calls[call].partner.and_then(|at| content(self.messages[at].at));
                if result.is_none() || result != content(message.at) {
                    self.late.insert(message.at, call);
                }
            }
        }
    }
}

fn left(ends: &[End]) -> impl Iterator<Item = (usize, &End)> {
    ends.iter().enumerate().filter(|(_, end)| end.partner.is_none())
}

fn call(call: &Value, at: usize, round: usize, batch: usize) -> End {
    let name = call.get("function").and_then(|each| each.get("name")).and_then(Value::as_str);
    let id = id_in(call.get("id"));
    let ids = [id.clone(), id_in(call.get("call_id"))];
    let mut loose: Vec<String> = ids.iter().flatten().filter_map(|id| without_signs(id)).collect();
    loose.dedup();
    End { at, round: Some(round), batch: Some(batch), id, loose, name: name.map(str::to_owned), partner: None }
}

fn message(input: &[Value], at: usize, round: Option<usize>, batch: Option<usize>) -> End {
    let member = |name: &str| input.get(at).and_then(|each| each.get(name));
    let name = member("name").and_then(Value::as_str);
    let id = id_in(member("tool_call_id"));
    let loose = id.iter().filter_map(|id| without_signs(id)).collect();
    End { at, round, batch, id, loose, name: name.map(str::to_owned), partner: None }
}

fn id_in(value: Option<&Value>) -> Option<String> {
    value?.as_str().filter(|id| !is_blank(id)).map(str::to_owned)
}

/// What is left of an id without its ASCII characters that are neither letters nor digits, if anything is.
fn without_signs(id: &str) -> Option<String> {
    let left: String = id.chars().filter(|each| !each.is_ascii() || each.is_ascii_alphanumeric()).collect();
    (!left.is_empty()).then_some(left)
}

/// The text of a text part.
pub(crate) fn text_of_part(part: &Value) -> Option<&str> {
    part.as_object().filter(|part| part.get("type").is_some_and(|each| each == "text"))?.get("text")?.as_str()
}

/// A text part with this text.
pub(crate) fn text_part(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// The text of an element of a list of parts that is no media part.
pub(crate) fn text_of_element(part: &Value) -> String {
    text_of_part(part).or(part.as_str()).map_or_else(|| compact(part), str::to_owned)
}

/// The texts of a list of parts that are not empty, with a line feed between them.
pub(crate) fn shown_text(parts: &[Value]) -> String {
    let text = |part: &Value| if is_media(part) { PART_NOT_SHOWN.to_owned() } else { text_of_element(part) };
    parts.iter().map(text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Whether a part is a media part.
pub(crate) fn is_media(part: &Value) -> bool {
    let Some(members) = part.as_object() else { return false };
    let has = |name: &str, fits: fn(&Value) -> bool| members.get(name).is_some_and(fits);
    is_sent_media(part)
        || match members.get("type").and_then(Value::as_str) {
            Some("image_url" | "input_image") => has("image_url", Value::is_string),
            Some("image" | "audio") => data(part).is_some() || has("source", Value::is_object),
            Some("video" | "media" | "file" | "image-data" | "file-data") => data(part).is_some() && media_type(part).is_some(),
            Some("resource") => members.get("resource").and_then(data).is_some(),
            _ => false,
        }
}

/// Whether a media part has the form of Chat Completions.
pub(crate) fn is_sent_media(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str).is_some_and(|name| {
        matches!(name, "image_url" | "input_audio" | "audio_url" | "video_url" | "file")
            && part.get(name).is_some_and(Value::is_object)
    })
}

fn data(part: &Value) -> Option<&str> {
    ["data", "base64", "blob"].iter().find_map(|name| part.get(name)?.as_str())
}

fn media_type(part: &Value) -> Option<&str> {
    ["mimeType", "mime_type", "mediaType", "media_type"].iter().find_map(|name| part.get(name)?.as_str())
}

/// The part of a user that shows the same as a media part.
pub(crate) fn user_part(part: &Value) -> Option<Value> {
    if is_sent_media(part) {
        return Some(part.clone());
    }
    let kind = part.get("type").and_then(Value::as_str);
    let address = part.get("image_url").and_then(Value::as_str).filter(|_| matches!(kind, Some("image_url" | "input_image")));
    let data_url = |holder: &Value| {
        let (kind_of, data) = (media_type(holder)?, data(holder)?);
        (kind == Some("image") || kind_of.starts_with("image/")).then(|| format!("data:{kind_of};base64,{data}"))
    };
    let source = part.get("source").unwrap_or(&Value::Null);
    let url = address
        .map(str::to_owned)
        .or_else(|| [part, source, part.get("resource").unwrap_or(&Value::Null)].into_iter().find_map(data_url))
        .or_else(|| source.get("url").and_then(Value::as_str).filter(|_| kind == Some("image")).map(str::to_owned));
    url.map(|url| json!({"type": "image_url", "image_url": {"url": url}}))
}

/// The elements of a list of parts.
pub(crate) fn parts(content: Option<&Value>) -> Option<&Vec<Value>> {
    let parts = content?.as_array().filter(|parts| !parts.is_empty())?;
    (parts.iter().any(is_media) || parts.iter().all(|part| text_of_part(part).is_some())).then_some(parts)
}

/// The texts of a list of text parts that are not empty, with a line feed between them.
pub(crate) fn joined_texts(content: Option<&Value>) -> Option<String> {
    let parts = content?.as_array().filter(|parts| !parts.is_empty())?;
    let texts: Option<Vec<&str>> = parts.iter().map(text_of_part).collect();
    texts.map(|texts| texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n"))
}

/// What a result says, as one text.
fn text_of_result(message: &Object) -> String {
    match message.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(content) => match parts(Some(content)) {
            Some(parts) => shown_text(parts),
            None => compact(content),
        },
    }
}

/// The result text in the form `quoted`.
pub(crate) fn quoted_result(message: &Object, shown: Option<&str>) -> String {
    let name = shown.map_or("a tool".to_owned(), quoted_string);
    let mut out = format!("Result of {name}:\n> ");
    let text = text_of_result(message);
    let mut characters = text.chars().peekable();
    while let Some(each) = characters.next() {
        out.push(each);
        let ends = match each {
            '\r' => characters.peek() != Some(&'\n'),
            '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        };
        if ends {
            out.push_str("> ");
        }
    }
    out
}

/// The result text in the form `blocks`.
pub(crate) fn block_result(message: &Object, shown: Option<&str>) -> String {
    let Some(name) = shown else { return quoted_result(message, None) };
    let (name, text) = (quoted_string(name), quoted_string(&text_of_result(message)));
    format!("<tool_response>\n{{\"name\": {name}, \"content\": {text}}}\n</tool_response>")
}

/// A text as one JSON string that ends no line and holds no tag.
pub(crate) fn quoted_string(text: &str) -> String {
    escaped(&compact(&Value::from(text)))
}

/// JSON in which what could end a line or begin a tag is escaped.
pub(crate) fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
