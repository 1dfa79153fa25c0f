//! Messages: headers, what kind of message one begins, and ends.

use std::sync::Arc;

use super::descriptors::Messages;
use super::markers::{Header, Marker, Name, Opening, Seen, Source};
use crate::shared::text::is_json_space;

/// How much JSON white space can stand between the end of a message and the next.
const MOST_SPACE: usize = 16;

/// How the text is read in messages.
#[derive(Clone)]
pub(super) struct MessageSet {
    pub(super) spec: Arc<Messages>,
    pub(super) header: Arc<Header>,
    pub(super) text: Arc<str>,
    /// The dialect, where it is active.
    pub(super) dialect: Option<usize>,
    /// The tokens of the format.
    pub(super) tokens: Vec<String>,
}

/// What a message is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Reasoning,
    Content,
    Call { name: Option<String> },
    Reserved,
    Drop,
}

/// What the words of a header without its end say.
#[derive(PartialEq)]
enum Says {
    /// What the message is.
    Known,
    /// A channel that no kind lists, and that begins with none of those that are shown.
    Strange,
    /// A channel that is shown, and words of a text.
    Text,
    Nothing,
}

impl MessageSet {
    /// The header that stands at a place.
    pub(super) fn at(&self, source: &Source, at: usize) -> Seen<Marker> {
        match self.end_at(source, at) {
            Seen::Yes(_) => return Seen::No,
            Seen::Wait => return Seen::Wait,
            Seen::No => {}
        }
        match self.with_text(source, at) {
            Seen::No => {}
            other => return other,
        }
        self.bare(source, at, self.bare_begins())
    }

    fn with_text(&self, source: &Source, at: usize) -> Seen<Marker> {
        match source.literal(at, &self.text) {
            Seen::Yes(behind) => self.header_at(source, at, behind, behind),
            Seen::Wait => Seen::Wait,
            Seen::No => Seen::No,
        }
    }

    /// A header without its text.
    fn bare<'a>(&self, source: &Source, at: usize, begins: impl Iterator<Item = &'a str>) -> Seen<Marker> {
        let mut wait = false;
        for begin in begins {
            match source.literal(at, begin) {
                Seen::Yes(behind) => return self.header_at(source, at, at, behind),
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// What a header without its text begins with.
    pub(super) fn bare_begins(&self) -> impl Iterator<Item = &str> {
        self.spec.channel.iter().chain(&self.spec.recipient).map(String::as_str)
    }

    /// `from` is where the characters of the header begin, and `begin` behind what begins it.
    fn header_at(&self, source: &Source, at: usize, from: usize, begin: usize) -> Seen<Marker> {
        match self.header.scan(source, from) {
            Seen::Yes((to, behind)) if !source.slice(at, behind).contains(['`', '{']) => {
                let kind = self.kind(source.slice(from, to)).0;
                return Seen::Yes(self.marker(&kind, at, behind, true));
            }
            Seen::Wait => return Seen::Wait,
            _ => {}
        }
        match self.without_end(source, at, from) {
            Seen::No => self.cut(source, at, from, begin),
            other => other,
        }
    }

    /// A header whose end is missing (D41.5).
    fn without_end(&self, source: &Source, at: usize, from: usize) -> Seen<Marker> {
        let mut to = from;
        while let Some(each) = source.char(to).filter(|_| to - from <= 4 * 128) {
            if let Some(token) = self.header.tokens().iter().find(|token| source.from(to).starts_with(token.as_str())) {
                to += token.len();
            } else if let Seen::Yes(behind) = self.header.behind_line_feed(source, to) {
                to = behind;
            } else if "<\n`{".contains(each) || self.header.end.starts_with(each) {
                break;
            } else {
                to += each.len_utf8();
            }
        }
        if source.slice(from, to).chars().count() > 128 {
            return Seen::No;
        }
        let next = skip_few(source, to);
        let stands = match source.literal(next, "{") {
            Seen::No => self.end_at(source, next),
            other => other,
        };
        match stands {
            Seen::Wait => Seen::Wait,
            Seen::Yes(_) if source.slice(at, to).contains('<') => {
                let empty = source.byte(next) != Some(b'{');
                match self.kind(source.slice(from, to)) {
                    (Kind::Call { .. }, Says::Known) if empty => Seen::Yes(self.marker(&Kind::Reserved, at, to, true)),
                    (kind, says) if says == Says::Known || says == Says::Strange && empty && (at == 0 || from > at) => {
                        Seen::Yes(self.marker(&kind, at, to, true))
                    }
                    _ => Seen::No,
                }
            }
            _ => Seen::No,
        }
    }

    /// A header that the end of the text cuts off (D41.4).
    fn cut(&self, source: &Source, at: usize, from: usize, begin: usize) -> Seen<Marker> {
        let rest = source.from(from);
        if source.from(begin).chars().nth(128).is_some() || rest.contains('`') {
            return Seen::No;
        }
        let mut place = rest;
        while let Some(each) = place.chars().next() {
            let skipped = self.header.tokens().iter().find(|token| place.starts_with(token.as_str()));
            let spaces = place.chars().take_while(|&each| is_json_space(each)).count();
            let behind = &place[spaces.min(MOST_SPACE)..];
            let partial = self.header.is_cut_behind_line(behind)
                || self.header.tokens().iter().any(|token| token.starts_with(place))
                || self.spec.ends.iter().any(|end| end != behind && end.starts_with(behind));
            if let Some(skipped) = skipped {
                place = &place[skipped.len()..];
            } else if partial {
                break;
            } else if let Seen::Yes(behind) = self.header.behind_line_feed(source, source.len() - place.len()) {
                place = source.from(behind);
            } else if "<\n{".contains(each) || self.header.end.starts_with(each) {
                return Seen::No;
            } else {
                place = &place[each.len_utf8()..];
            }
        }
        let has_text = from > at;
        if !has_text && !rest.contains('<') {
            return Seen::No;
        }
        if !source.ended {
            return Seen::Wait;
        }
        if self.alone().is_some() && self.kind(rest).1 == Says::Text {
            return Seen::No;
        }
        let is_call = matches!(self.kind(rest).0, Kind::Call { .. } | Kind::Reserved);
        let is_channel = self.spec.channel.as_ref().is_some_and(|channel| rest.starts_with(channel.as_str()));
        if !has_text && at > 0 && !(is_call && is_channel) {
            return Seen::No;
        }
        let kind = if is_call { Kind::Reserved } else { Kind::Drop };
        Seen::Yes(self.marker(&kind, at, source.len(), false))
    }

    fn marker(&self, kind: &Kind, at: usize, end: usize, whole: bool) -> Marker {
        let opening = |dialect, reserved, name: Option<String>| {
            let name = name.map(|text| Name { text, alone: None, numbered: None });
            let headed = true;
            Opening { dialect, section: false, reserved, name, headed, from: at, to: end }
        };
        let mut marker = Marker { end, header: whole, ..Marker::default() };
        match (kind, self.dialect) {
            (Kind::Reasoning, _) => marker.reasoning = Some(usize::MAX),
            (Kind::Content, _) => (marker.token, marker.content) = (true, true),
            (Kind::Call { name }, Some(dialect)) => marker.opener = Some(opening(dialect, false, name.clone())),
            (Kind::Reserved, Some(dialect)) => marker.opener = Some(opening(dialect, true, None)),
            _ => marker.drops = true,
        }
        marker
    }

    /// The header with which the text can begin (D41.2, D41.3).
    pub(super) fn first(&self, source: &Source) -> Seen<Marker> {
        let rest = source.from(0);
        if rest.is_empty() {
            return source.short();
        }
        match self.end_at(source, 0) {
            Seen::Yes(_) => return Seen::No,
            Seen::Wait => return Seen::Wait,
            Seen::No => {}
        }
        let spaced = self.spec.recipient.as_ref().map(|text| format!(" {text}"));
        match self.bare(source, 0, self.bare_begins().chain(spaced.as_deref())) {
            Seen::No => self.named(source),
            Seen::Wait if source.ended => Seen::No,
            Seen::Wait => match self.named(source) {
                Seen::No => Seen::Wait,
                other => other,
            },
            other @ Seen::Yes(_) => other,
        }
    }

    fn named(&self, source: &Source) -> Seen<Marker> {
        let Some(channel) = self.spec.channel.as_ref().filter(|_| self.spec.kinds.values().any(|kind| kind == "call")) else {
            return Seen::No;
        };
        let word = source.text.bytes().take(65).take_while(|each| each.is_ascii_alphanumeric() || b"_./:-".contains(each)).count();
        if word == 0 || word > 64 {
            return Seen::No;
        }
        if word == source.len() {
            return source.short();
        }
        let behind = match source.literal(word, channel) {
            Seen::Yes(behind) => behind,
            Seen::Wait => return Seen::Wait,
            Seen::No => return Seen::No,
        };
        let mut wait = false;
        for (name, kind) in &self.spec.kinds {
            if kind != "call" {
                continue;
            }
            match source.literal(behind, &format!("{name}{}", self.header.end)) {
                Seen::Yes(end) => {
                    let kind = self.kind(source.slice(0, end - self.header.end.len())).0;
                    return Seen::Yes(self.marker(&kind, 0, end, false));
                }
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// Where an end of messages ends that stands here.
    pub(super) fn end_at(&self, source: &Source, at: usize) -> Seen<usize> {
        let mut wait = false;
        for end in &self.spec.ends {
            match source.literal(at, end) {
                Seen::Yes(behind) => return Seen::Yes(behind),
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// Where a bound end ends that stands here. A block can quote ends before headers without their text.
    fn bound_end(&self, source: &Source, at: usize, block: bool) -> Seen<usize> {
        let behind = match self.end_at(source, at) {
            Seen::Yes(behind) => behind,
            other => return other,
        };
        if behind == source.len() {
            return if source.ended { Seen::Yes(behind) } else { Seen::Wait };
        }
        let next = skip_few(source, behind);
        let mut wait = false;
        let bare = if block { Vec::new() } else { self.bare_follows() };
        let begins = self.tokens.iter().filter(|token| self.text.starts_with(token.as_str()));
        for text in bare.iter().chain(begins).chain(&self.spec.ends).map(String::as_str).chain([&*self.text]) {
            match source.literal(next, text) {
                Seen::Yes(_) => return Seen::Yes(behind),
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// What stands behind an end where a header without its text follows it.
    fn bare_follows(&self) -> Vec<String> {
        let channels =
            self.spec.channel.iter().flat_map(|channel| self.spec.kinds.keys().map(move |name| format!("{channel}{name}")));
        channels.chain(self.spec.recipient.iter().map(|recipient| format!("{recipient}{}", self.spec.prefix))).collect()
    }

    /// Where a message, or a block of one, ends here: behind a bound end, or before a whole header.
    pub(super) fn message_end(&self, source: &Source, at: usize, block: bool) -> Seen<usize> {
        match self.bound_end(source, at, block) {
            Seen::No => {}
            found => return found,
        }
        match if block { self.with_text(source, at) } else { self.at(source, at) } {
            Seen::Yes(marker) if marker.header || !block && marker.opener.is_some() => Seen::Yes(at),
            Seen::Wait => Seen::Wait,
            _ => Seen::No,
        }
    }

    /// The channel, where the format lists it as a token.
    fn alone(&self) -> Option<&String> {
        self.spec.channel.as_ref().filter(|channel| self.tokens.contains(channel))
    }

    /// The channels of reasoning and of content.
    fn shown(&self) -> impl Iterator<Item = &String> {
        self.spec.kinds.iter().filter(|(_, kind)| matches!(kind.as_str(), "reasoning" | "content")).map(|(name, _)| name)
    }

    /// A channel with a name that begins no header, as one (D41.6).
    pub(super) fn channel_alone(&self, source: &Source, at: usize) -> Seen<Marker> {
        let Some(channel) = self.alone() else { return Seen::No };
        let behind = match source.literal(at, channel) {
            Seen::Yes(behind) => behind,
            Seen::Wait => return Seen::Wait,
            Seen::No => return Seen::No,
        };
        let mut wait = false;
        for (name, kind) in &self.spec.kinds {
            let kind = match kind.as_str() {
                "reasoning" => Kind::Reasoning,
                "content" => Kind::Content,
                _ => continue,
            };
            match source.literal(behind, name) {
                Seen::Yes(end) => return Seen::Yes(self.marker(&kind, at, end, true)),
                Seen::Wait => wait = true,
                Seen::No => {}
            }
        }
        if wait { Seen::Wait } else { Seen::No }
    }

    /// What a message is, by the words of its header, and what these say where its end is missing.
    fn kind(&self, header: &str) -> (Kind, Says) {
        let mut channel: Option<String> = None;
        let mut waiting = false;
        let (mut recipients, mut types) = (Vec::new(), Vec::new());
        let prefix = format!("{}{}", self.spec.recipient.clone().unwrap_or_default(), self.spec.prefix);
        let mut before_channels = None;
        let mut rest = header;
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            if let Some(token) = self.header.tokens().iter().find(|token| rest.starts_with(token.as_str())) {
                if self.spec.channel.as_ref() == Some(token) {
                    // Behind a channel that does not count only a recipient that names a tool does (D42.1).
                    let (before, typed) = *before_channels.get_or_insert((recipients.len(), types.len()));
                    let behind = recipients.split_off(before);
                    recipients.extend(behind.into_iter().filter(|each: &String| each.starts_with(&prefix)));
                    types.truncate(typed);
                    channel = Some(String::new());
                    waiting = true;
                }
                rest = &rest[token.len()..];
                continue;
            }
            let end = rest
                .char_indices()
                .find(|(at, each)| {
                    each.is_whitespace() || self.header.tokens().iter().any(|token| rest[*at..].starts_with(token.as_str()))
                })
                .map_or(rest.len(), |(at, _)| at);
            let word = &rest[..end];
            rest = &rest[end..];
            if waiting {
                channel = Some(word.to_owned());
                waiting = false;
            } else if self.spec.recipient.as_ref().is_some_and(|begin| word.starts_with(begin.as_str())) {
                recipients.push(word.to_owned());
            } else {
                types.push(word.to_owned());
            }
        }
        if recipients.iter().any(|each| *each != recipients[0]) {
            return (Kind::Reserved, Says::Known);
        }
        let recipient = recipients.first();
        let channel = channel.unwrap_or_default();
        let says = match self.spec.kinds.contains_key(&channel) {
            _ if recipient.is_some() => Says::Known,
            true if types.is_empty() => Says::Known,
            true if self.shown().any(|name| *name == channel) && types.iter().any(|word| !word.starts_with('<')) => Says::Text,
            false if !channel.is_empty() && !self.shown().any(|name| channel.starts_with(name.as_str())) => Says::Strange,
            _ => Says::Nothing,
        };
        let key = recipient.unwrap_or(&channel);
        let kind = match (self.spec.kinds.get(key).map(String::as_str), recipient) {
            (Some("reasoning"), _) => Kind::Reasoning,
            (Some("content"), _) => Kind::Content,
            (Some("call"), _) | (None, Some(_)) => {
                let fits = recipient.is_none_or(|each| each.starts_with(&prefix))
                    && self.spec.types.as_ref().is_none_or(|listed| types.iter().all(|each| listed.contains(each)));
                if fits { Kind::Call { name: recipient.map(|each| each[prefix.len()..].to_owned()) } } else { Kind::Reserved }
            }
            _ => Kind::Drop,
        };
        (kind, says)
    }
}

/// Behind the JSON white space that can stand for a token or before a message.
pub(super) fn skip_few(source: &Source, at: usize) -> usize {
    at + source.from(at).bytes().take(MOST_SPACE).take_while(|&each| is_json_space(each.into())).count()
}
