//! The sanitizer of histories, in the order of its steps (PAY-143).

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::check::{Checked, Demands, is_nothing, judge};
use super::foreign;
use super::profile::{Flags, is_usable_id, mark_refused};
use super::results::{
    Pairs, Round, is_media, is_sent_media, joined_texts, parts, quoted_result, text_of_element, text_of_part, text_part, user_part,
};
use super::tools::sent_name;
use crate::shared::capabilities::filtered;
use crate::shared::data::{
    INVALID_CALL_RESULT, MESSAGE_RECEIVED, MISSING_RESULT, PART_MOVED, PART_NOT_SHOWN, PARTS_OF_RESULTS, PLEASE_CONTINUE,
    RESULTS_RECEIVED,
};
use crate::shared::findings::{Finding, Path, below, listed, steps};
use crate::shared::json::{compact, elements, equal};
use crate::shared::outcome::{Failure, Object, Outcome};
use crate::shared::text::is_blank;

/// What the sanitizer gives for a history.
pub(crate) struct Sanitized {
    pub(crate) messages: Vec<Value>,
    pub(crate) skipped: usize,
    pub(crate) findings: Vec<Finding>,
    /// Where each message stood, if it did.
    pub(crate) positions: Vec<Option<usize>>,
}

/// What is asked of the sanitizer beside the history.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    /// Whether an invalid call goes, in place of being answered.
    pub(crate) skip: bool,
    /// Whether the last assistant message still waits for results.
    pub(crate) open_turn: bool,
    /// Whether the history becomes text behind this.
    pub(crate) flattens: bool,
}

pub(super) fn sanitize(input: &Object) -> Outcome {
    let messages = elements(input.get("messages"));
    foreign::refuse_history(messages, &steps!["messages"])?;
    let flags = Flags::of(input.get("profile"));
    if flags.lacks_origin() {
        return Err(Failure::of("origin_missing"));
    }
    let wish = Wish {
        skip: input.get("disposition") == Some(&json!("skip")),
        open_turn: input.get("open_turn") == Some(&json!(true)),
        flattens: false,
    };
    let mut done = sanitized(messages, wish, &flags);
    mark_refused(&mut done.findings, input, &flags);
    let mut result = json!({"messages": done.messages, "findings": listed(done.findings)});
    if input.get("positions") == Some(&json!(true)) {
        result["positions"] = json!(done.positions);
    }
    if done.skipped > 0 {
        result["skipped"] = done.skipped.into();
    }
    Ok(result)
}

/// The history that may be sent, for an endpoint with these flags.
pub(crate) fn sanitized(input: &[Value], wish: Wish, flags: &Flags) -> Sanitized {
    let mut kept = Kept::of(input, flags);
    kept.form_contents(flags);
    let mut work = Work::of(input, kept, wish, flags);
    work.join_neighbours();
    work.split_messages();
    work.form_calls();
    work.put_bridges();
    work.add_missing();
    work.find_last_assistant();
    work.done()
}

/// A message of the input that is left, as it is left.
pub(crate) struct Message {
    at: usize,
    members: Object,
    /// Whether it came from where the request goes.
    here: bool,
}

impl Message {
    fn role(&self) -> &str {
        role(&self.members)
    }

    pub(crate) fn calls(&self) -> &[Value] {
        let calls = self.members.get("tool_calls").filter(|_| self.role() == "assistant");
        elements(calls)
    }
}

fn role(members: &Object) -> &str {
    members.get("role").and_then(Value::as_str).unwrap_or_default()
}

/// The messages that the first three steps leave.
pub(crate) struct Kept {
    pub(crate) messages: Vec<Message>,
    findings: Vec<Finding>,
}

impl Kept {
    pub(crate) fn of(input: &[Value], flags: &Flags) -> Self {
        let mut kept = Self { messages: Vec::new(), findings: Vec::new() };
        for (at, message) in input.iter().enumerate() {
            kept.messages.extend(kept_message(at, message, flags, &mut kept.findings));
        }
        kept
    }

    /// Contents and system messages take their form (PAY-154).
    fn form_contents(&mut self, flags: &Flags) {
        let mut said = false;
        let mut first: Option<usize> = None;
        for mut message in std::mem::take(&mut self.messages) {
            let place = steps!["messages", message.at];
            if matches!(message.role(), "system" | "developer" | "user") {
                let given = message.members.get("content");
                let takes_list = message.role() == "user" || flags.is("content_beside_calls", "any");
                let text = joined_texts(given).filter(|_| !takes_list).map(Value::from);
                if let Some(content) = text.or_else(|| formed_content(given)) {
                    message.members.insert("content".into(), content);
                    self.findings.push(Finding::new("content_coerced", below(&place, "content")));
                }
            }
            if matches!(message.role(), "system" | "developer") {
                if said && !flags.is("system_anywhere", true) {
                    message.members.insert("role".into(), "user".into());
                    self.findings.push(Finding::new("system_late", place));
                } else if let (Some(first), true) = (first, flags.is("system_anywhere", "one")) {
                    let target: &mut Message = &mut self.messages[first];
                    let content = joined_content(target.members.get("content"), message.members.get("content"));
                    target.members.insert("content".into(), content);
                    self.findings.push(Finding::new("messages_joined", place));
                    continue;
                } else {
                    first.get_or_insert(self.messages.len());
                }
            }
            said = said || matches!(message.role(), "user" | "assistant");
            self.messages.push(message);
        }
    }
}

/// The first three steps for one element of the history.
fn kept_message(at: usize, message: &Value, flags: &Flags, findings: &mut Vec<Finding>) -> Option<Message> {
    let place = steps!["messages", at];
    let mut report = |code, path: Path| findings.push(Finding::new(code, path));
    let Some(members) = message.as_object() else {
        report("message_not_object", place);
        return None;
    };
    let mut members = members.clone();
    if !matches!(role(&members), "system" | "developer" | "user" | "assistant" | "tool") {
        report("role_unknown", place);
        return None;
    }
    if members.shift_remove("function_call").is_some() {
        report("function_call_removed", below(&place, "function_call"));
    }
    let misplaced = match members.get("tool_calls") {
        None => None,
        Some(_) if role(&members) != "assistant" => Some("tool_calls_misplaced"),
        Some(Value::Array(calls)) => calls.is_empty().then_some("tool_calls_empty"),
        Some(_) => Some("tool_calls_not_array"),
    };
    if let Some(code) = misplaced {
        members.shift_remove("tool_calls");
        report(code, below(&place, "tool_calls"));
    }
    if let Some(name) = members.get("name").filter(|name| !name.is_string()) {
        report(if name.is_null() { "null_omitted" } else { "name_not_string" }, below(&place, "name"));
        members.shift_remove("name");
    }
    if role(&members) == "developer" && flags.is("developer_role", false) {
        members.insert("role".into(), "system".into());
        report("role_coerced", below(&place, "role"));
    }
    let mark = members.get("_from").or(flags.unmarked.as_ref());
    let here = matches!((mark, &flags.origin), (Some(mark), Some(origin)) if equal(mark, origin));
    filter_parts(&mut members, &place, flags, findings);
    show_refusal(&mut members, &place, flags, findings);
    filter_members(&mut members, &place, here, flags, findings);
    if flags.is("blank_texts", false) && drop_blank(&mut members, &place, flags, findings) {
        findings.push(Finding::new("text_blank", place));
        return None;
    }
    if is_empty(&members) {
        findings.push(Finding::new("message_empty", place));
        return None;
    }
    Some(Message { at, members, here })
}

/// Whether an object lacks a member: an endpoint that wants a text takes neither null nor an empty one.
fn lacks(given: &Object, name: &str, rule: &Value) -> bool {
    given.get(name).is_none_or(|own| (own.is_null() || own == "") && rule.get("value").is_some_and(|value| value != own))
}

/// Drops blank texts, and says whether a message of a system or a user is blank (PAY-240).
fn drop_blank(members: &mut Object, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) -> bool {
    if role(members) == "tool" {
        return false;
    }
    if let Some(Value::Array(parts)) = members.get_mut("content") {
        let place = below(place, "content");
        let length = parts.len();
        let mut at = 0;
        parts.retain(|part| {
            let blank = text_of_part(part).is_some_and(is_blank);
            if blank {
                findings.push(Finding::new("text_blank", below(&place, at)));
            }
            at += 1;
            !blank
        });
        if parts.is_empty() && length > 0 {
            members.insert("content".into(), Value::Null);
        }
    }
    let calls = members.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| !calls.is_empty());
    let takes_null = |text: &&str| !text.is_empty() || flags.is("content_beside_calls", "any");
    let text = members.get("content").and_then(Value::as_str).filter(takes_null);
    if calls && text.is_some_and(is_blank) {
        findings.push(Finding::new("text_blank", place.clone()));
        members.insert("content".into(), Value::Null);
    }
    role(members) != "assistant" && has_no_words(members.get("content"))
}

/// Parts of a message go or become texts (PAY-137).
fn filter_parts(members: &mut Object, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    let takes_all = role(members) != "assistant" || flags.is("unknown_members", "any");
    if role(members) == "tool" {
        return;
    }
    let Some(Value::Array(parts)) = members.get_mut("content") else { return };
    let place = below(place, "content");
    let length = parts.len();
    let mut left = Vec::new();
    for (at, part) in std::mem::take(parts).into_iter().enumerate() {
        let mut report = |code| findings.push(Finding::new(code, below(&place, at)));
        if text_of_part(&part).is_some() || takes_all && part.get("type").is_none_or(|kind| kind != "text") {
            left.push(part);
        } else if let Some(refusal) = refusal_in(&part) {
            report("content_coerced");
            left.push(text_part(refusal));
        } else {
            report("part_unknown");
        }
    }
    let emptied = left.is_empty() && length > 0;
    members.insert("content".into(), if emptied { Value::Null } else { left.into() });
}

/// The refusal that a part is, if it says something.
pub(crate) fn refusal_in(part: &Value) -> Option<&str> {
    let part = part.as_object().filter(|part| part.get("type").is_some_and(|each| each == "refusal"))?;
    part.get("refusal")?.as_str().filter(|refusal| !refusal.is_empty())
}

/// A refusal beside no words becomes the content (PAY-137).
fn show_refusal(members: &mut Object, place: &Path, flags: &Flags, findings: &mut Vec<Finding>) {
    if role(members) != "assistant" || !has_no_words(members.get("content")) || flags.is_opaque("refusal") {
        return;
    }
    if let Some(Value::String(refusal)) = members.get("refusal").filter(|each| *each != "").cloned() {
        members.shift_remove("refusal");
        members.insert("content".into(), refusal.into());
        findings.push(Finding::new("content_coerced", below(place, "content")));
    }
}

fn has_no_words(content: Option<&Value>) -> bool {
    is_nothing(content) || content.and_then(Value::as_str).is_some_and(is_blank)
}

fn is_empty(members: &Object) -> bool {
    let content = members.get("content");
    let is_blank_text = |part: &Value| text_of_part(part).is_some_and(is_blank);
    let says_nothing =
        has_no_words(content) || content.and_then(Value::as_array).is_some_and(|parts| parts.iter().all(is_blank_text));
    role(members) == "assistant" && says_nothing && !members.contains_key("tool_calls")
}

/// Members of a message go (PAY-137).
fn filter_members(members: &mut Object, place: &Path, here: bool, flags: &Flags, findings: &mut Vec<Finding>) {
    members.shift_remove("_from");
    let readable: Vec<String> = members.keys().filter(|name| flags.is_readable(name)).cloned().collect();
    let of_assistant: Vec<&str> =
        ["role", "content", "tool_calls"].into_iter().chain(readable.iter().map(String::as_str)).collect();
    let common: &[&str] = match role(members) {
        "assistant" => &of_assistant,
        "tool" if flags.is("result_name", "none") => &["role", "content", "tool_call_id"],
        "tool" => &["role", "content", "tool_call_id", "name"],
        _ => &["role", "content"],
    };
    let nameless = role(members) == "tool" && flags.is("result_name", "none");
    let named = nameless && members.shift_remove("name").is_some();
    if remove_members(members, place, common, here, flags, findings) || named {
        findings.push(Finding::new("members_unknown", place.clone()));
    }
}

/// Removes opaque members from elsewhere, and unknown ones; says whether there was one of these.
fn remove_members(
    members: &mut Object,
    place: &Path,
    common: &[&str],
    here: bool,
    flags: &Flags,
    findings: &mut Vec<Finding>,
) -> bool {
    let mut lost = false;
    members.retain(|name, value| {
        if flags.is_opaque(name) {
            let lost = !here || remove_unsigned(value);
            if lost {
                findings.push(Finding::new("opaque_removed", below(place, name.as_str())));
            }
            return here && !(lost && value == &json!([]));
        }
        let unknown = flags.is("unknown_members", "none") && !common.contains(&name.as_str());
        lost = lost || unknown;
        !unknown
    });
    lost
}

/// Removes the thoughts that nobody signed from what is opaque (PAY-137); whether there were any.
fn remove_unsigned(value: &mut Value) -> bool {
    let Some(thoughts) = value.as_array_mut() else { return false };
    let before = thoughts.len();
    thoughts.retain(|each| {
        let is_signed = each.get("signature").and_then(Value::as_str).is_some_and(|signature| !signature.is_empty());
        is_signed || each.get("type").is_none_or(|kind| kind != "thinking")
    });
    thoughts.len() < before
}

/// What a content of a system, developer or user message becomes, where it changes (PAY-154).
fn formed_content(content: Option<&Value>) -> Option<Value> {
    match content {
        content if is_nothing(content) => Some("".into()),
        Some(Value::String(_) | Value::Array(_)) | None => None,
        Some(other) => Some(compact(other).into()),
    }
}

/// The joined content of two contents.
pub(super) fn joined_content(one: Option<&Value>, other: Option<&Value>) -> Value {
    let is_empty = |content: Option<&Value>| is_nothing(content) || content.is_some_and(|each| each == "");
    let text = |content: &Value| content.as_str().map_or_else(|| compact(content), str::to_owned);
    match (one, other) {
        (one, other) if is_empty(other) => one.cloned().unwrap_or(Value::Null),
        (one, Some(other)) if is_empty(one) => other.clone(),
        (Some(one), Some(other)) if !one.is_array() && !other.is_array() => format!("{}\n{}", text(one), text(other)).into(),
        (one, other) => {
            let parts = |content: &Value| content.as_array().cloned().unwrap_or_else(|| vec![text_part(&text(content))]);
            one.into_iter().chain(other).flat_map(parts).collect()
        }
    }
}

/// The calls of a history with what answers them.
pub(crate) fn pairs_of(input: &[Value], kept: &[Message]) -> Pairs {
    let (before, rounds) = rounds_of(kept);
    let tools = |messages: &[Message]| messages.iter().filter(|each| each.role() == "tool").map(|each| each.at).collect::<Vec<_>>();
    let rounds: Vec<_> = rounds
        .iter()
        .filter_map(|round| {
            let (head, rest) = round.split_first()?;
            Some(Round { head: head.at, calls: head.calls(), tools: tools(rest), holds_more: !rest.is_empty() })
        })
        .collect();
    Pairs::of(input, &tools(before), &rounds)
}

/// The messages in front of the first round, and the rounds.
fn rounds_of(kept: &[Message]) -> (&[Message], Vec<&[Message]>) {
    let heads: Vec<usize> = (0..kept.len()).filter(|&at| kept[at].role() == "assistant").collect();
    let ends = heads.iter().skip(1).copied().chain([kept.len()]);
    let rounds = heads.iter().zip(ends).map(|(&from, to)| &kept[from..to]).collect();
    (&kept[..heads.first().copied().unwrap_or(kept.len())], rounds)
}

/// A call that stays or goes.
struct Call {
    /// The positions of its message and of the call in it.
    at: (usize, usize),
    given: Value,
    checked: Checked,
    skipped: bool,
    /// Whether it has no result by PAY-074.
    waits: bool,
    /// What it is in the output. Its name and id come last.
    sent: Object,
    here: bool,
}

impl Call {
    fn place(&self) -> Path {
        steps!["messages", self.at.0, "tool_calls", self.at.1]
    }

    /// The name that it has in the output, before that becomes its sent name.
    fn name(&self) -> &str {
        self.checked.name.as_deref().unwrap_or("invalid_tool_call")
    }
}

/// A message of the output.
struct Out {
    /// Its place in the input; one that the sanitizer made has none.
    at: Option<usize>,
    members: Object,
    /// The numbers of its calls.
    calls: Vec<usize>,
    /// The number of the call whose result it is.
    of: Option<usize>,
}

impl Out {
    fn made(members: Value) -> Self {
        let members = if let Value::Object(members) = members { members } else { Object::new() };
        Self { at: None, members, calls: Vec::new(), of: None }
    }

    fn role(&self) -> &str {
        role(&self.members)
    }
}

struct Work<'a> {
    flags: &'a Flags,
    wish: Wish,
    calls: Vec<Call>,
    out: Vec<Out>,
    findings: Vec<Finding>,
}

impl<'a> Work<'a> {
    /// Judges the calls, finds their results, and puts each round in its order.
    fn of(input: &[Value], kept: Kept, wish: Wish, flags: &'a Flags) -> Self {
        let pairs = pairs_of(input, &kept.messages);
        let mut work = Self { flags, wish, calls: Vec::new(), out: Vec::new(), findings: kept.findings };
        let (_, rounds) = rounds_of(&kept.messages);
        for (at, round) in rounds.iter().enumerate() {
            let is_last = at + 1 == rounds.len();
            round.first().into_iter().for_each(|head| work.judge(head, is_last, &pairs));
        }
        let results = pairs.calls_by_result();
        let mut order: Vec<Vec<usize>> = vec![Vec::new()];
        let mut bodies: HashMap<usize, Object> = HashMap::new();
        for message in kept.messages {
            if message.role() == "assistant" {
                order.push(Vec::new());
            }
            order.last_mut().into_iter().for_each(|round| round.push(message.at));
            bodies.insert(message.at, message.members);
        }
        for round in order {
            work.put_round(&round, &mut bodies, &results, &pairs);
        }
        work
    }

    fn report(&mut self, code: &'static str, path: Path) {
        self.findings.push(Finding::new(code, path));
    }

    /// Judges the calls of a message (PAY-067, PAY-137).
    fn judge(&mut self, head: &Message, is_last: bool, pairs: &Pairs) {
        for (place, given) in head.calls().iter().enumerate() {
            let checked = judge(given, false, &Demands::default());
            let has_function = given.get("function").is_some_and(|each| !each.is_null());
            let custom = given.get("type").is_some_and(|each| each == "custom") && !has_function;
            let valid = checked.is_valid();
            let answered = pairs.result_of(self.calls.len()).is_some();
            let mut call = Call {
                at: (head.at, place),
                given: given.clone(),
                skipped: !valid && (self.wish.skip || custom),
                waits: valid && is_last && self.wish.open_turn && !answered,
                sent: given.as_object().cloned().unwrap_or_default(),
                here: head.here,
                checked,
            };
            self.findings.extend(call.checked.findings_at(&call.place()));
            if !call.skipped {
                self.shape(&mut call);
            }
            self.calls.push(call);
        }
    }

    /// A call that stays loses members, and has a function with arguments.
    fn shape(&mut self, call: &mut Call) {
        let place = call.place();
        let findings = &mut self.findings;
        if remove_members(&mut call.sent, &place, &["id", "type", "function"], call.here, self.flags, findings) {
            findings.push(Finding::new("members_unknown", place.clone()));
        }
        let mut function = call.sent.get("function").and_then(Value::as_object).cloned().unwrap_or_default();
        let inside = below(&place, "function");
        if remove_members(&mut function, &inside, &["name", "arguments"], call.here, self.flags, findings) {
            findings.push(Finding::new("members_unknown", inside.clone()));
        }
        if call.checked.is_valid() && !function.get("arguments").is_some_and(Value::is_string) {
            findings.push(Finding::new("arguments_coerced", below(&inside, "arguments")));
        }
        let arguments = if call.checked.is_valid() { call.checked.arguments_json().unwrap_or("{}") } else { "{}" };
        function.insert("arguments".into(), arguments.into());
        call.sent.insert("function".into(), function.into());
        if call.given.is_object() && call.sent.get("type") != Some(&json!("function")) {
            findings.push(Finding::new("type_coerced", below(&place, "type")));
        }
        call.sent.insert("type".into(), "function".into());
    }

    /// Puts a round into the output: its message, the results of its calls, and the others.
    fn put_round(&mut self, round: &[usize], bodies: &mut HashMap<usize, Object>, results: &HashMap<usize, usize>, pairs: &Pairs) {
        let mut others = round;
        if let Some((&head, rest)) =
            round.split_first().filter(|(head, _)| bodies.get(head).is_some_and(|each| role(each) == "assistant"))
        {
            others = rest;
            let members = bodies.remove(&head).unwrap_or_default();
            self.put_head(head, members);
            self.put_results(head, pairs, round, bodies);
        }
        for &at in others {
            if results.contains_key(&at) {
                continue;
            }
            let Some(members) = bodies.remove(&at) else { continue };
            if role(&members) != "tool" {
                self.out.push(Out { at: Some(at), members, calls: Vec::new(), of: None });
                continue;
            }
            let place = steps!["messages", at];
            match pairs.calls_by_late().get(&at) {
                None => self.report("result_orphaned", place),
                Some(&call) if self.calls[call].skipped => self.report("result_of_skipped_call", place),
                Some(&call) => self.put_late(at, &members, call),
            }
        }
    }

    fn put_head(&mut self, head: usize, mut members: Object) {
        let own: Vec<usize> = self.numbers_of(head);
        let had_calls = members.shift_remove("tool_calls").is_some();
        let calls: Vec<usize> = own.into_iter().filter(|&number| !self.calls[number].skipped).collect();
        if had_calls && calls.is_empty() && is_empty(&members) {
            self.report("message_empty", steps!["messages", head]);
            return;
        }
        self.out.push(Out { at: Some(head), members, calls, of: None });
    }

    /// The numbers of the calls of a message.
    fn numbers_of(&self, head: usize) -> Vec<usize> {
        let from = self.calls.partition_point(|call| call.at.0 < head);
        let to = self.calls.partition_point(|call| call.at.0 <= head);
        (from..to).collect()
    }

    /// The results of the calls of a round, in their order and one for each that has none, and the media that move behind them.
    fn put_results(&mut self, head: usize, pairs: &Pairs, round: &[usize], bodies: &mut HashMap<usize, Object>) {
        let own = self.numbers_of(head);
        let waits = own.iter().any(|&number| self.calls[number].waits);
        let moves = self.flags.is("result_media", "user") && !waits;
        let mut media: Vec<Value> = Vec::new();
        let mut last = None;
        let is_other = |at: &&usize| bodies.get(*at).is_some_and(|members| role(members) != "tool");
        let between = round.iter().find(is_other).copied();
        for number in own {
            let Some(at) = pairs.result_of(number) else {
                self.put_made(number);
                continue;
            };
            let Some(mut members) = bodies.remove(&at) else { continue };
            if self.calls[number].skipped {
                self.report("result_of_skipped_call", steps!["messages", at]);
                continue;
            }
            if round.binary_search(&at).is_err() || between.is_some_and(|between| between < at) {
                self.report("result_moved", steps!["messages", at]);
            }
            if moves {
                let found = self.move_media(at, &mut members);
                if !found.is_empty() {
                    last = Some(at);
                    media.extend(found);
                }
            }
            self.out.push(Out { at: Some(at), members, calls: Vec::new(), of: Some(number) });
        }
        if let Some(at) = last {
            let content: Vec<Value> = [text_part(PARTS_OF_RESULTS)].into_iter().chain(media).collect();
            self.out.push(Out { at: Some(at), ..Out::made(json!({"role": "user", "content": content})) });
        }
    }

    /// Puts a result for a call that has none (PAY-074).
    fn put_made(&mut self, number: usize) {
        let call = &self.calls[number];
        if call.skipped || call.waits {
            return;
        }
        let text = if call.checked.is_valid() {
            let place = call.place();
            self.report("result_missing", place);
            MISSING_RESULT
        } else {
            INVALID_CALL_RESULT
        };
        self.out.push(Out { of: Some(number), ..Out::made(json!({"role": "tool", "content": text})) });
    }

    /// Takes the media out of a result that a user can show (PAY-190).
    fn move_media(&mut self, at: usize, result: &mut Object) -> Vec<Value> {
        let Some(mut parts) = parts(result.get("content")).cloned() else { return Vec::new() };
        self.form_elements(Some(at), &mut parts);
        let mut moved = Vec::new();
        for (place, part) in parts.iter_mut().enumerate() {
            let shown = Some(&*part).filter(|part| self.is_removed_media(part)).and_then(user_part);
            if let Some(shown) = shown {
                moved.push(shown);
                *part = text_part(PART_MOVED);
                self.report("media_moved", steps!["messages", at, "content", place]);
            }
        }
        result.insert("content".into(), parts.into());
        moved
    }

    /// Elements that are no parts become texts (PAY-083).
    fn form_elements(&mut self, at: Option<usize>, parts: &mut [Value]) {
        let mut changed = false;
        for part in parts.iter_mut().filter(|part| !is_media(part) && text_of_part(part).is_none()) {
            *part = text_part(&text_of_element(part));
            changed = true;
        }
        if let (true, Some(at)) = (changed && !self.flags.is("result_content", "string"), at) {
            self.report("result_content_coerced", steps!["messages", at, "content"]);
        }
    }

    /// Whether PAY-083 would replace a part.
    fn is_removed_media(&self, part: &Value) -> bool {
        let stays = self.flags.is("result_content", "parts") && is_sent_media(part) && !self.wish.flattens;
        is_media(part) && !stays
    }

    /// A later result becomes a message of the user (PAY-071).
    fn put_late(&mut self, at: usize, members: &Object, call: usize) {
        self.report("result_late", steps!["messages", at]);
        for (place, part) in parts(members.get("content")).into_iter().flatten().enumerate() {
            if is_media(part) {
                self.report("media_removed", steps!["messages", at, "content", place]);
            }
        }
        let name = sent_name(self.calls[call].name(), self.flags);
        let text = quoted_result(members, Some(name.as_str()).filter(|_| !self.wish.flattens));
        self.out.push(Out { at: Some(at), ..Out::made(json!({"role": "user", "content": text})) });
    }

    /// Whether a message of the output has something opaque, also in its calls.
    fn has_opaque(&self, out: &Out) -> bool {
        let named = |members: &Object| members.keys().any(|name| self.flags.is_opaque(name));
        named(&out.members)
            || out
                .calls
                .iter()
                .map(|&number| &self.calls[number].sent)
                .any(|call| named(call) || call.get("function").and_then(Value::as_object).is_some_and(named))
    }

    /// Neighbours of one role become one (PAY-155).
    fn join_neighbours(&mut self) {
        if !self.flags.is("repeated_roles", false) {
            return;
        }
        for out in std::mem::take(&mut self.out) {
            match self.out.last() {
                Some(last) if self.can_join(last, &out) => {}
                _ => {
                    self.out.push(out);
                    continue;
                }
            }
            if let Some(at) = out.at {
                self.report("messages_joined", steps!["messages", at]);
            }
            let of_assistant = out.role() == "assistant";
            let says_nothing = |value: &Value| is_nothing(Some(value)) || *value == "";
            let is_readable = |name: &str, value: &Value| of_assistant && self.flags.is_readable(name) && !says_nothing(value);
            let Some(last) = self.out.last_mut() else { continue };
            let content = joined_content(last.members.get("content"), out.members.get("content"));
            if last.members.contains_key("content") || out.members.contains_key("content") {
                last.members.insert("content".into(), content);
            }
            for (name, value) in out.members.iter().filter(|(name, value)| is_readable(name, value)) {
                let joined = joined_content(last.members.get(name), Some(value));
                last.members.insert(name.clone(), joined);
            }
            last.calls.extend(out.calls);
        }
    }

    fn can_join(&self, one: &Out, other: &Out) -> bool {
        let rest = |out: &Out| {
            let of_assistant = out.role() == "assistant";
            let is_rest = |name: &str| name != "content" && name != "tool_calls" && !(of_assistant && self.flags.is_readable(name));
            Value::Object(filtered(&out.members, |name, _| is_rest(name)))
        };
        one.role() == other.role()
            && one.role() != "tool"
            && equal(&rest(one), &rest(other))
            && !self.has_opaque(one)
            && !self.has_opaque(other)
    }

    /// A message with several calls becomes several (PAY-156).
    fn split_messages(&mut self) {
        if !self.flags.is("calls_in_message", "one") {
            return;
        }
        let mut left: Vec<Option<Out>> = std::mem::take(&mut self.out).into_iter().map(Some).collect();
        for at in 0..left.len() {
            let Some(mut head) = left[at].take() else { continue };
            if head.calls.len() < 2 || self.has_opaque(&head) || head.calls.iter().any(|&call| self.calls[call].waits) {
                self.out.push(head);
                continue;
            }
            if let Some(place) = head.at {
                self.report("calls_split", steps!["messages", place, "tool_calls"]);
            }
            let is_result = |out: &&mut Option<Out>| out.as_ref().is_some_and(|out| out.of.is_some());
            let mut results: HashMap<usize, Out> = left[at + 1..]
                .iter_mut()
                .take_while(is_result)
                .filter_map(Option::take)
                .filter_map(|out| Some((out.of?, out)))
                .collect();
            let calls = std::mem::take(&mut head.calls);
            let mut first = Some(head);
            for call in calls {
                let message = first.take().unwrap_or_else(|| Out::made(json!({"role": "assistant", "content": null})));
                self.out.push(Out { calls: vec![call], ..message });
                self.out.extend(results.remove(&call));
            }
        }
    }

    /// Calls, results and the words beside calls take their form.
    fn form_calls(&mut self) {
        let order: Vec<Vec<usize>> = self.out.iter().map(|out| out.calls.clone()).filter(|calls| !calls.is_empty()).collect();
        self.give_ids(&order);
        for &number in order.iter().flatten() {
            self.give_name(number);
        }
        let mut out = std::mem::take(&mut self.out);
        for each in &mut out {
            if let Some(call) = each.of {
                self.form_result(each, call);
            } else if !each.calls.is_empty() || each.role() == "assistant" && joined_texts(each.members.get("content")).is_some() {
                self.form_words(each);
            }
        }
        self.out = out;
    }

    /// The ids of the calls (PAY-077).
    fn give_ids(&mut self, order: &[Vec<usize>]) {
        let verbatim = self.flags.is("ids", "verbatim");
        let mut seen: HashSet<String> = HashSet::new();
        let mut own: HashSet<usize> = HashSet::new();
        for message in order {
            let mut beside: HashSet<String> = HashSet::new();
            for &number in message {
                let id = self.calls[number].given.get("id").and_then(Value::as_str).unwrap_or_default();
                if !is_usable_id(id, self.flags) {
                    continue;
                }
                let is_new = beside.insert(id.to_owned());
                if (seen.insert(id.to_owned()) || verbatim) && is_new {
                    own.insert(number);
                }
            }
        }
        let mut next = 0;
        for (before, &number) in order.iter().flatten().enumerate() {
            let given = self.calls[number].given.get("id").cloned();
            if !own.contains(&number) {
                next = next.max(before);
                while seen.contains(&format!("c{next:08}")) {
                    next += 1;
                }
                let id = format!("c{next:08}");
                seen.insert(id.clone());
                self.calls[number].sent.insert("id".into(), id.into());
            }
            let call = &self.calls[number];
            if call.given.is_object() && given.as_ref() != call.sent.get("id") {
                let place = below(&call.place(), "id");
                self.report("id_replaced", place);
            }
        }
    }

    fn give_name(&mut self, number: usize) {
        let call = &self.calls[number];
        let sent = sent_name(call.name(), self.flags);
        if call.checked.name.as_ref().is_some_and(|name| *name != sent) {
            let place = below(&below(&call.place(), "function"), "name");
            self.report("name_coerced", place);
        }
        self.calls[number].sent["function"]["name"] = sent.into();
    }

    fn form_result(&mut self, out: &mut Out, number: usize) {
        let place = out.at.map(|at| steps!["messages", at]);
        let call = &self.calls[number];
        let id = call.sent.get("id").cloned().unwrap_or_default();
        let (old, new) = (call.checked.name.clone(), call.sent["function"]["name"].clone());
        let mut report = |code, step: &str| {
            self.findings.extend(place.as_ref().map(|place| Finding::new(code, below(place, step))));
        };
        if out.members.get("tool_call_id") != Some(&id) {
            out.members.insert("tool_call_id".into(), id);
            report("id_replaced", "tool_call_id");
        }
        if out.members.get("name").is_some_and(|name| name.as_str() == old.as_deref() && *name != new) {
            report("name_coerced", "name");
            out.members.insert("name".into(), new.clone());
        }
        if self.flags.is("result_name", "call") {
            out.members.insert("name".into(), new);
        }
        let content = out.members.get("content");
        let formed = match content {
            None | Some(Value::Null) => Some("".into()),
            Some(Value::String(_)) => None,
            Some(other) if parts(content).is_none() => Some(compact(other).into()),
            Some(_) => None,
        };
        if let Some(text) = formed {
            report("result_content_coerced", "content");
            out.members.insert("content".into(), text);
        }
        self.form_media(out);
        if let Some(text) = joined_texts(out.members.get("content")).filter(|_| self.flags.is("result_content", "string")) {
            out.members.insert("content".into(), text.into());
            let place = out.at.map(|at| steps!["messages", at, "content"]);
            self.findings.extend(place.map(|place| Finding::new("result_content_coerced", place)));
        }
    }

    /// Media of a result become a text (PAY-083).
    fn form_media(&mut self, out: &mut Out) {
        let Some(mut parts) = parts(out.members.get("content")).cloned() else { return };
        self.form_elements(out.at, &mut parts);
        for (place, part) in parts.iter_mut().enumerate() {
            if self.is_removed_media(part) {
                *part = text_part(PART_NOT_SHOWN);
                if let Some(at) = out.at {
                    self.report("media_removed", steps!["messages", at, "content", place]);
                }
            }
        }
        out.members.insert("content".into(), parts.into());
    }

    /// Words of the assistant (PAY-083).
    fn form_words(&mut self, out: &mut Out) {
        if !self.flags.is("content_beside_calls", "string") {
            return;
        }
        let content = out.members.get("content");
        let text = match content {
            Some(Value::String(_)) => return,
            content if is_nothing(content) => String::new(),
            Some(other) => joined_texts(content).unwrap_or_else(|| compact(other)),
            None => String::new(),
        };
        out.members.insert("content".into(), text.into());
        if let Some(at) = out.at {
            self.report("content_coerced", steps!["messages", at, "content"]);
        }
    }

    /// Bridges between roles (PAY-157).
    fn put_bridges(&mut self) {
        let mut waits = false;
        let mut after_results: Vec<Out> = Vec::new();
        let no_user = self.flags.is("user_after_tool", false);
        let alternate = self.flags.is("repeated_roles", false);
        for out in std::mem::take(&mut self.out) {
            if let Some(last) = after_results.last().filter(|last| !waits && last.role() == "tool") {
                let bridges = self.bridges();
                let follows = matches!(out.role(), "system" | "developer" | "user");
                // As a text, a result will stand in the message of the user (TRN-077).
                let is_one = alternate && self.wish.flattens && out.role() == "user";
                if no_user && follows && !is_one {
                    let content = last.members.get("content").and_then(Value::as_str).unwrap_or_default();
                    let fixed = [MISSING_RESULT, INVALID_CALL_RESULT].contains(&content);
                    let text = if fixed { MESSAGE_RECEIVED } else { RESULTS_RECEIVED };
                    if bridges {
                        after_results.push(Out::made(json!({"role": "assistant", "content": text})));
                    }
                    self.report_bridge(&out);
                }
            }
            waits = waits || !self.wish.flattens && out.calls.iter().any(|&call| self.calls[call].waits);
            after_results.push(out);
        }
        let mut waits = false;
        let mut begun = false;
        let user_first = !self.flags.is("repeated_roles", true);
        for out in after_results {
            let before = self.out.last().map_or("", Out::role);
            let bridge = match (before, out.role()) {
                ("user", "user") if alternate => Some(("assistant", MESSAGE_RECEIVED)),
                ("assistant", "assistant") if alternate => Some(("user", PLEASE_CONTINUE)),
                (_, "assistant") if user_first && !begun => Some(("user", PLEASE_CONTINUE)),
                _ => None,
            };
            if let Some((role, text)) = bridge.filter(|_| !waits) {
                if self.bridges() {
                    self.out.push(Out::made(json!({"role": role, "content": text})));
                }
                self.report_bridge(&out);
            }
            begun = begun || !matches!(out.role(), "system" | "developer");
            waits = waits || !self.wish.flattens && out.calls.iter().any(|&call| self.calls[call].waits);
            self.out.push(out);
        }
        let end = self.out.last().and_then(|last| last.at).filter(|_| user_first && !begun);
        if let Some(at) = end {
            if self.bridges() {
                self.out.push(Out::made(json!({"role": "user", "content": PLEASE_CONTINUE})));
            }
            self.report(if self.bridges() { "bridge_inserted" } else { "bridge_missing" }, steps!["messages", at]);
        }
    }

    fn bridges(&self) -> bool {
        self.flags.is("bridges", true)
    }

    fn report_bridge(&mut self, behind: &Out) {
        if let Some(at) = behind.at {
            self.report(if self.bridges() { "bridge_inserted" } else { "bridge_missing" }, steps!["messages", at]);
        }
    }

    /// What the endpoint requires and is missing (PAY-175).
    fn add_missing(&mut self) {
        let required = filtered(&self.flags.members("opaque_required"), |name, _| self.flags.is_opaque(name));
        let mut out = std::mem::take(&mut self.out);
        for each in out.iter_mut().filter(|each| each.role() == "assistant") {
            for (name, rule) in &required {
                let first = each.calls.first().copied();
                let id = first.and_then(|first| self.calls[first].sent.get("id").cloned());
                if rule["in"] == "message" {
                    let is_of_call = rule.get("value").is_some_and(|value| !places_for_ids(&mut value.clone()).is_empty());
                    if name != "_from" && lacks(&each.members, name, rule) && (first.is_some() || !is_of_call) {
                        let place = each.at.map(|at| steps!["messages", at, name.as_str()]);
                        self.add(&mut each.members, name, rule, id, place);
                    }
                } else if let Some(first) = first {
                    if each.calls.iter().all(|&call| lacks(&self.calls[call].sent, name, rule)) {
                        let place = below(&self.calls[first].place(), name.as_str());
                        let mut sent = std::mem::take(&mut self.calls[first].sent);
                        self.add(&mut sent, name, rule, id, Some(place));
                        self.calls[first].sent = sent;
                    }
                }
            }
        }
        self.out = out;
    }

    fn add(&mut self, members: &mut Object, name: &str, rule: &Value, id: Option<Value>, place: Option<Path>) {
        let mut value = rule.get("value").cloned();
        if let (Some(id), Some(value)) = (id, &mut value) {
            for place in places_for_ids(value) {
                *place = id.clone();
            }
        }
        if let Some(value) = &value {
            members.insert(name.to_owned(), value.clone());
        }
        let code = if value.is_some() { "opaque_added" } else { "opaque_missing" };
        self.findings.extend(place.map(|place| Finding::new(code, place)));
    }

    fn find_last_assistant(&mut self) {
        let last = self.out.last().filter(|last| last.role() == "assistant").and_then(|last| last.at);
        if let Some(at) = last.filter(|_| self.flags.is("assistant_last", false) && !self.wish.open_turn) {
            self.report("assistant_last", steps!["messages", at]);
        }
    }

    fn done(self) -> Sanitized {
        let Self { calls, out, findings, .. } = self;
        let skipped = calls.iter().filter(|call| call.skipped).count();
        let message = |mut out: Out| {
            if !out.calls.is_empty() {
                out.members
                    .insert("tool_calls".into(), out.calls.iter().map(|&call| Value::Object(calls[call].sent.clone())).collect());
            }
            Value::Object(out.members)
        };
        let positions = out.iter().map(|out| out.at).collect();
        let messages = out.into_iter().map(message).collect();
        Sanitized { messages, skipped, findings, positions }
    }
}

/// Where a value for a missing member leaves a place for the id of a call (PAY-175).
fn places_for_ids(value: &mut Value) -> Vec<&mut Value> {
    let elements = match value {
        Value::Array(elements) => elements.iter_mut().collect(),
        other => vec![other],
    };
    let ids = elements.into_iter().filter_map(Value::as_object_mut).filter_map(|each| each.get_mut("id"));
    ids.filter(|id| id.is_null()).collect()
}
