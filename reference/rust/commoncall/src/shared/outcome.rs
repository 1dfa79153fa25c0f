//! What an operation gives: a result, or an error of its contract; and what it may take from around its input.

use serde_json::{Map, Value};

/// A JSON object. Its members keep their order.
pub type Object = Map<String, Value>;

/// An error of a contract, which takes the place of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The code, one of the closed list.
    pub code: &'static str,
    /// What stands beside the code, where a requirement names it.
    pub members: Object,
}

impl Failure {
    pub(crate) fn of(code: &'static str) -> Self {
        Self { code, members: Object::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.code)
    }
}

impl std::error::Error for Failure {}

/// The result of an operation, or its error.
pub type Outcome = Result<Value, Failure>;

/// The ids and times that an operation may use. Where a list is absent, the crate makes its own.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The ids of new calls, to be used from the front.
    pub ids: Option<Vec<String>>,
    /// The readings of a clock in milliseconds, to be used from the front.
    pub clock_ms: Option<Vec<f64>>,
}
