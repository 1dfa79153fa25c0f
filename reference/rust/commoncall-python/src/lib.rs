//! The extractor of the crate for Python. The package `commoncall` gives it its input, and its results their form.

use std::sync::{Mutex, MutexGuard, PoisonError};

use commoncall::extraction::{self, Event, Unreadable};
use commoncall::serde_json::Value;
use commoncall::{Environment, parse};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The members of a result but for its calls, in the order in which the reference gives them.
const MEMBERS: [&str; 7] = ["content", "reasoning", "matched", "repairs", "segments", "unreadable", "removed"];

/// Reads a text that arrives in chunks. While it reads, other threads run.
#[pyclass(frozen)]
struct Extractor(Mutex<Option<extraction::Extractor>>);

impl Extractor {
    fn lock(&self) -> MutexGuard<'_, Option<extraction::Extractor>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn events<'py>(
        &self,
        py: Python<'py>,
        read: impl FnOnce(&mut extraction::Extractor) -> Vec<Event> + Send,
    ) -> PyResult<Bound<'py, PyList>> {
        let events = py.detach(|| self.lock().as_mut().map(read)).unwrap_or_default();
        let found = PyList::empty(py);
        let guard = self.lock();
        for event in events {
            found.append(shown(py, event, guard.as_ref())?)?;
        }
        Ok(found)
    }
}

#[pymethods]
impl Extractor {
    /// The JSON of the input of `extraction.extract` without its text.
    #[new]
    fn new(options: &str) -> PyResult<Self> {
        let input = parse(options).ok_or_else(|| PyValueError::new_err("no JSON"))?;
        let extractor = extraction::Extractor::new(&input).map_err(|failure| PyValueError::new_err(failure.code))?;
        Ok(Self(Mutex::new(Some(extractor))))
    }

    /// An extractor for a further text, which is read with the same options.
    fn again(&self) -> Self {
        Self(Mutex::new(self.lock().as_ref().map(extraction::Extractor::again)))
    }

    fn feed<'py>(&self, py: Python<'py>, chunk: &str) -> PyResult<Bound<'py, PyList>> {
        self.events(py, |extractor| extractor.push(chunk))
    }

    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.events(py, extraction::Extractor::finish)
    }

    /// The text that has come.
    fn text(&self) -> String {
        self.lock().as_ref().map_or_else(String::new, |extractor| extractor.text().to_owned())
    }

    /// Where marked texts stand, as offsets of characters.
    fn marked(&self) -> Vec<(usize, usize)> {
        let guard = self.lock();
        let Some(extractor) = guard.as_ref() else { return Vec::new() };
        let (mut bytes, mut characters) = (0, 0);
        let mut offset = |to: usize| {
            characters += extractor.text()[bytes..to].chars().count();
            bytes = to;
            characters
        };
        extractor.marked().iter().map(|&(from, to)| (offset(from), offset(to))).collect()
    }

    /// The result but for its calls, once.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        let extractor = self.lock().take().ok_or_else(|| PyValueError::new_err("the result was given"))?;
        let result = py.detach(|| extractor.result(Environment::default()));
        let result = result.map_err(|failure| PyValueError::new_err(failure.code))?;
        for name in MEMBERS {
            if let Some(value) = result.get(name) {
                found.set_item(name, object(py, value)?)?;
            }
        }
        Ok(found)
    }
}

/// An event as the reference gives it, a call without its id and its arguments.
fn shown<'py>(py: Python<'py>, event: Event, extractor: Option<&extraction::Extractor>) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    match event {
        Event::Text(text) => found.set_item("text", text)?,
        Event::Reasoning(text) => found.set_item("reasoning", text)?,
        Event::Call(number) => {
            let call = PyDict::new(py);
            if let Some(known) = extractor.and_then(|extractor| extractor.call(number)) {
                call.set_item("id", "")?;
                call.set_item("name", &known.name)?;
                call.set_item("arguments", py.None())?;
                call.set_item("arguments_json", &known.arguments_json)?;
            }
            found.set_item("call", call)?;
        }
        Event::Unreadable(Unreadable { before, name, error_type }) => {
            let unreadable = PyDict::new(py);
            unreadable.set_item("before", before)?;
            unreadable.set_item("name", name)?;
            unreadable.set_item("error_type", error_type)?;
            found.set_item("unreadable", unreadable)?;
        }
        _ => {}
    }
    Ok(found)
}

/// A value of a result, which holds no fraction.
fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => number.as_u64().into_pyobject(py)?,
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(object(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, member) in members {
                dict.set_item(name, object(py, member)?)?;
            }
            dict.into_any()
        }
    })
}

#[pymodule]
fn commoncall_engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Extractor>()
}
