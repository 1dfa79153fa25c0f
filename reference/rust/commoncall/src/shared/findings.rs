//! Findings: a code and a place, in their order.

use serde_json::{Value, json};

/// A step of a path. At one place all steps are of one kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// The name of a member.
    Name(String),
    /// The position of an element.
    At(usize),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<usize> for Step {
    fn from(at: usize) -> Self {
        Self::At(at)
    }
}

pub(crate) type Path = Vec<Step>;

/// A path of steps: `steps!["messages", 0, "role"]`.
macro_rules! steps {
    ($($step:expr),* $(,)?) => { vec![$($crate::shared::findings::Step::from($step)),*] };
}
pub(crate) use steps;

/// A path with one more step.
pub(crate) fn below(path: &[Step], step: impl Into<Step>) -> Path {
    let mut longer = path.to_vec();
    longer.push(step.into());
    longer
}

/// What was found, and where. The order of the members is that of findings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) path: Path,
    pub(crate) code: &'static str,
    pub(crate) bytes: Option<usize>,
    pub(crate) refused: bool,
    pub(crate) repairable: bool,
    pub(crate) repairs: Vec<&'static str>,
}

impl Finding {
    pub(crate) fn new(code: &'static str, path: Path) -> Self {
        Self { path, code, bytes: None, refused: false, repairable: false, repairs: Vec::new() }
    }

    fn value(&self) -> Value {
        let mut value = json!({"code": self.code, "path": pointer(&self.path)});
        if let Some(bytes) = self.bytes {
            value["bytes"] = bytes.into();
        }
        if self.repairable {
            value["repairable"] = true.into();
        }
        if !self.repairs.is_empty() {
            value["repairs"] = json!(self.repairs);
        }
        if self.refused {
            value["refused"] = true.into();
        }
        value
    }
}

/// A path as a JSON Pointer.
pub(crate) fn pointer(path: &[Step]) -> String {
    path.iter()
        .map(|step| match step {
            Step::Name(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
            Step::At(at) => format!("/{at}"),
        })
        .collect()
}

/// Findings as they stand in a result: sorted, each once.
pub(crate) fn listed(mut findings: Vec<Finding>) -> Value {
    findings.sort();
    findings.dedup();
    findings.iter().map(Finding::value).collect()
}

/// The value at a path, if there is one.
pub(crate) fn value_at<'a>(value: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.as_object()?.get(name),
        Step::At(at) => value.as_array()?.get(*at),
    })
}
