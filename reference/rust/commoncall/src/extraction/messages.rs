//! Messages: headers, what kind of message one begins, and ends.

use std::sync::Arc;

use super::descriptors::Messages;
use super::markers::{Header, Marker, Opening, Seen, Source};

/// How the text is read in messages.
#[derive(Clone)]
pub(super) struct MessageSet {
    pub(super) spec: Arc<Messages>,
    pub(super) header: Arc<Header>,
    pub(super) text: Arc<str>,
    /// The dialect, where it is active.
    pub(super) dialect: Option<usize>,
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

impl MessageSet {
    /// The header that stands at a place.
    pub(super) fn at(&self, source: &Source, at: usize) -> Seen<Marker> {
        let behind = match source.literal(at, &self.text) {
            Seen::Yes(behind) => behind,
            Seen::Wait => return Seen::Wait,
            Seen::No => return Seen::No,
        };
        self.header_at(source, at, behind, behind, true)
    }

    /// `from` is where the characters of the header begin, and `begin` behind what begins a headless one.
    fn header_at(&self, source: &Source, at: usize, from: usize, begin: usize, whole: bool) -> Seen<Marker> {
        match self.header.scan(source, from) {
            Seen::Yes((to, behind)) if !source.slice(at, behind).contains('`') => {
                let kind = self.kind(source.slice(from, to));
                Seen::Yes(self.marker(&kind, at, behind, whole))
            }
            Seen::Yes(_) => Seen::No,
            Seen::Wait => Seen::Wait,
            Seen::No => self.cut(source, at, from, begin, whole),
        }
    }

    /// A header that the end of the text cuts off (D41.4).
    fn cut(&self, source: &Source, at: usize, from: usize, begin: usize, whole: bool) -> Seen<Marker> {
        let rest = source.from(from);
        if rest.contains(['\n', '`']) || source.from(begin).chars().count() > 128 {
            return Seen::No;
        }
        let mut place = rest;
        let mut token = false;
        while let Some(each) = place.chars().next() {
            let skipped = self.header.tokens().iter().find(|token| place.starts_with(token.as_str()));
            let partial = self.header.end.starts_with(place) || self.header.tokens().iter().any(|token| token.starts_with(place));
            if let Some(skipped) = skipped {
                token = true;
                place = &place[skipped.len()..];
            } else if partial {
                token = true;
                break;
            } else if each == '<' || self.header.end.starts_with(each) {
                return Seen::No;
            } else {
                place = &place[each.len_utf8()..];
            }
        }
        if !whole && !token {
            return Seen::No;
        }
        if !source.ended {
            return Seen::Wait;
        }
        let kind = match self.kind(rest) {
            Kind::Call { .. } | Kind::Reserved => Kind::Reserved,
            _ => Kind::Drop,
        };
        Seen::Yes(Marker { header: false, ..self.marker(&kind, at, source.len(), whole) })
    }

    fn marker(&self, kind: &Kind, at: usize, end: usize, whole: bool) -> Marker {
        let opening = |dialect, reserved, name: Option<String>| {
            let headed = true;
            Opening { dialect, section: false, reserved, name, headed, from: at, to: end }
        };
        let mut marker = Marker { end, header: whole, ..Marker::default() };
        match (kind, self.dialect) {
            (Kind::Reasoning, _) => marker.reasoning = Some(usize::MAX),
            (Kind::Content, _) => marker.token = true,
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
        let mut wait = false;
        let recipient = self.spec.recipient.clone();
        let begins = [self.spec.channel.clone(), recipient.clone(), recipient.map(|text| format!(" {text}"))];
        for begin in begins.iter().flatten() {
            match source.literal(0, begin) {
                Seen::Yes(behind) => return self.header_at(source, 0, 0, behind, false),
                Seen::Wait => wait = true,
                Seen::No if source.ended && begin.starts_with(rest) && self.spec.channel.as_ref() == Some(begin) => {
                    return self.header_at(source, 0, 0, source.len(), false);
                }
                Seen::No => {}
            }
        }
        match self.named(source) {
            Seen::No if wait => Seen::Wait,
            other => other,
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
                    let kind = self.kind(source.slice(0, end - self.header.end.len()));
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

    /// Where a bound end ends that stands here.
    fn bound_end(&self, source: &Source, at: usize) -> Seen<usize> {
        let behind = match self.end_at(source, at) {
            Seen::Yes(behind) => behind,
            other => return other,
        };
        if behind == source.len() {
            return if source.ended { Seen::Yes(behind) } else { Seen::Wait };
        }
        match (source.literal(behind, &self.text), self.end_at(source, behind)) {
            (Seen::Yes(_), _) | (_, Seen::Yes(_)) => Seen::Yes(behind),
            (Seen::Wait, _) | (_, Seen::Wait) => Seen::Wait,
            _ => Seen::No,
        }
    }

    /// Where a message ends here: behind a bound end, or before a whole header.
    pub(super) fn message_end(&self, source: &Source, at: usize) -> Seen<usize> {
        match self.bound_end(source, at) {
            Seen::No => {}
            found => return found,
        }
        match self.at(source, at) {
            Seen::Yes(marker) if marker.header => Seen::Yes(at),
            Seen::Wait => Seen::Wait,
            _ => Seen::No,
        }
    }

    /// What a message is, by the words of its header.
    fn kind(&self, header: &str) -> Kind {
        let mut channel: Option<String> = None;
        let mut waiting = false;
        let (mut recipients, mut types) = (Vec::new(), Vec::new());
        let mut rest = header;
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            if let Some(token) = self.header.tokens().iter().find(|token| rest.starts_with(token.as_str())) {
                if self.spec.channel.as_ref() == Some(token) {
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
            return Kind::Reserved;
        }
        let recipient = recipients.first();
        let key = recipient.cloned().or(channel).unwrap_or_default();
        match (self.spec.kinds.get(&key).map(String::as_str), recipient) {
            (Some("reasoning"), _) => Kind::Reasoning,
            (Some("content"), _) => Kind::Content,
            (Some("call"), _) | (None, Some(_)) => {
                let prefix = format!("{}{}", self.spec.recipient.clone().unwrap_or_default(), self.spec.prefix);
                let fits = recipient.is_none_or(|each| each.starts_with(&prefix))
                    && self.spec.types.as_ref().is_none_or(|listed| types.iter().all(|each| listed.contains(each)));
                if fits { Kind::Call { name: recipient.map(|each| each[prefix.len()..].to_owned()) } } else { Kind::Reserved }
            }
            _ => Kind::Drop,
        }
    }
}
