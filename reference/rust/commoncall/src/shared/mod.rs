//! What the contracts share: JSON, texts, findings, the schemas of their inputs.

pub(crate) mod capabilities;
pub(crate) mod data;
pub(crate) mod findings;
pub(crate) mod json;
pub(crate) mod outcome;
pub(crate) mod schema;
pub(crate) mod sha256;
pub(crate) mod text;
