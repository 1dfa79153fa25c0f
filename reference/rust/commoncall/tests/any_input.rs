//! No input makes an operation panic: inputs of cases are changed at random. `INPUTS=1000000` asks so many of each operation.

use std::fs;
use std::path::Path;

use commoncall::serde_json::{Value, from_str, json};
use commoncall::{Environment, OPERATIONS, nesting_depth, run};

/// Numbers that look random, of a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most.max(1) as u64).unwrap_or_default()
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// The inputs of the cases of an operation. There are none where the crate stands alone.
fn inputs(operation: &str) -> Vec<Value> {
    let (contract, _) = operation.split_once('.').unwrap_or_default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fixtures/v1").join(contract);
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok());
    let mut found: Vec<Value> = Vec::new();
    for suite in files.filter_map(|text| from_str::<Value>(&text).ok()).filter(|suite| suite["operation"] == operation) {
        found.extend(suite["cases"].as_array().into_iter().flatten().filter_map(|case| case.get("input").cloned()));
    }
    found.retain(|input| input.to_string().len() < 8_000);
    found
}

/// A value somewhere in another.
fn somewhere<'a>(value: &'a mut Value, chance: &mut Chance) -> &'a mut Value {
    let inner = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if inner == 0 || chance.below(4) == 0 {
        return value;
    }
    let at = chance.below(inner);
    match value {
        Value::Array(items) => somewhere(&mut items[at], chance),
        Value::Object(members) => match members.values_mut().nth(at) {
            Some(member) => somewhere(member, chance),
            None => unreachable!("there are so many members"),
        },
        _ => value,
    }
}

fn change(value: &mut Value, donor: &mut Value, chance: &mut Chance) {
    let words = ["", " ", "é", "\u{1f600}", "<tool_call>", "```", "{\"a\":", "[", "\"", "\n\n", "|>", "<", "</", "\\u00", "1e999"];
    let numbers = [json!(0), json!(-1), json!(1e308), json!(u64::MAX), json!(0.5), json!(null), json!(true), json!([]), json!({})];
    let other = somewhere(donor, chance).clone();
    let place = somewhere(value, chance);
    match (chance.below(4), &mut *place) {
        (0, Value::String(text)) => {
            let at = text.char_indices().nth(chance.below(text.len())).map_or(text.len(), |(at, _)| at);
            text.insert_str(at, chance.of(&words).copied().unwrap_or_default());
        }
        (1, Value::String(text)) => {
            let at = text.char_indices().nth(chance.below(text.len())).map_or(0, |(at, _)| at);
            text.truncate(at);
        }
        (0, Value::Object(members)) => {
            let name = members.keys().nth(chance.below(members.len())).cloned();
            if let Some(name) = name {
                members.shift_remove(&name);
            }
        }
        (1 | 2, _) => *place = chance.of(&numbers).cloned().unwrap_or_default(),
        _ => *place = other,
    }
}

#[test]
fn no_input_makes_an_operation_panic() {
    let count = std::env::var("INPUTS").ok().and_then(|each| each.parse().ok()).unwrap_or(200);
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    for operation in OPERATIONS {
        let known = inputs(operation);
        for _ in 0..count {
            let (Some(mut input), Some(mut donor)) = (chance.of(&known).cloned(), chance.of(&known).cloned()) else { break };
            for _ in 0..=chance.below(4) {
                change(&mut input, &mut donor, &mut chance);
            }
            let written = input.to_string();
            if nesting_depth(&written) > 200 || written.len() > 20_000 {
                continue;
            }
            let asked = || run(operation, &input, Environment { ids: None, clock_ms: Some(vec![0.0; 999]) });
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(asked));
            assert!(done.is_ok(), "{operation} {written}");
        }
    }
}
