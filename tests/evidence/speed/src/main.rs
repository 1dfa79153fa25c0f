//! Times how the crate and others read texts: a row of JSON a line comes in, the nanoseconds of each reader go out.

use std::hint::black_box;
use std::io::stdin;

use commoncall::extraction::{Extractor, extract};
use commoncall::serde_json::{self, Value, json};
use commoncall::{Environment, Object};
use cpu_time::ProcessTime;
use dynamo_parsers::tool_calling::{ToolDefinition, try_tool_call_parse_aggregate};
use dynamo_parsers_v2::create_tool_parser_for_family;
use openai_protocol::common::Tool;
use tokio::runtime::Runtime;
use tool_parser::ParserFactory;

const ROUNDS: usize = 9;
const SAMPLE: f64 = 5e6;

/// A reader of the text: it tells how many calls it found.
type Read<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

fn main() {
    for line in stdin().lines() {
        let row: Value = serde_json::from_str(&line.expect("a line")).expect("a row");
        let known = row["calls"].as_u64();
        // Who finds other calls does other work.
        let reads = |(_, read): &Read| known.is_none_or(|known| read() as u64 == known);
        let (read, not): (Vec<_>, Vec<_>) = readers(&row).into_iter().partition(reads);
        let counts: Vec<usize> = read.iter().map(|(_, read)| (SAMPLE / time(read, 1)).ceil() as usize).collect();
        let mut least = vec![f64::INFINITY; read.len()];
        for _ in 0..ROUNDS {
            for (at, (_, read)) in read.iter().enumerate() {
                least[at] = least[at].min(time(read, counts[at]));
            }
        }
        let times: Object = read.iter().zip(least).map(|((name, _), time)| ((*name).to_owned(), json!(time))).collect();
        let not: Vec<&str> = not.iter().map(|(name, _)| *name).collect();
        println!("{}", json!({"times": times, "not_read": not}));
    }
}

fn time(read: &dyn Fn() -> usize, count: usize) -> f64 {
    let begin = ProcessTime::now();
    (0..count).for_each(|_| _ = black_box(read()));
    begin.elapsed().as_nanos() as f64 / count as f64
}

fn readers(row: &Value) -> Vec<Read<'_>> {
    let (text, input, none) = (row["text"].as_str().unwrap_or_default(), &row["input"], Vec::new());
    let mut options = input.clone();
    options.as_object_mut().expect("an object").remove("text");
    let found = |result: &Value| result["tool_calls"].as_array().map_or(0, Vec::len);
    let mut readers: Vec<Read> = vec![
        ("commoncall", Box::new(move || found(&extract(input, Environment::default()).expect("a result")))),
        (
            "commoncall in pieces",
            Box::new(move || {
                let mut extractor = Extractor::new(&options).expect("options");
                pieces(text).for_each(|piece| _ = black_box(extractor.push(piece)));
                found(&extractor.end(Environment::default()).expect("a result").1)
            }),
        ),
    ];
    let tools = input["tools"].as_array().unwrap_or(&none);
    let function =
        |tool: &Value| (tool["function"]["name"].as_str().unwrap_or_default().to_owned(), tool["function"]["parameters"].clone());
    if let Some(parser) = row["dynamo-parsers"].as_str() {
        let define = |(name, parameters)| ToolDefinition { name, parameters: Some(parameters), strict: None };
        let (tools, runtime): (Vec<_>, _) = (tools.iter().map(function).map(define).collect(), runtime());
        readers.push((
            "dynamo-parsers",
            Box::new(move || {
                let read = try_tool_call_parse_aggregate(text, Some(parser), Some(&tools));
                runtime.block_on(read).map_or(0, |(calls, _)| calls.len())
            }),
        ));
    }
    for in_pieces in [false, true] {
        if let Some(parser) = row["dynamo-parsers-v2"].as_str() {
            let define = |(name, parameters)| dynamo_parsers_v2::Tool { name, description: None, parameters, strict: None };
            let tools: Vec<_> = tools.iter().map(function).map(define).collect();
            let read = move || {
                let mut parser = create_tool_parser_for_family(parser, &tools).expect("a parser");
                let count = |read: Result<dynamo_parsers_v2::ToolParseResult, _>| {
                    read.map_or(0, |read| read.calls.iter().filter(|call| call.complete).count())
                };
                let pushed: usize =
                    if in_pieces { pieces(text).map(|piece| count(parser.push(piece))).sum() } else { count(parser.push(text)) };
                pushed + count(parser.finish())
            };
            readers.push((if in_pieces { "dynamo-parsers-v2 in pieces" } else { "dynamo-parsers-v2" }, Box::new(read)));
        }
        if let Some(parser) = row["tool-parser"].as_str() {
            let tools: Vec<Tool> = serde_json::from_value(input["tools"].clone()).expect("tools");
            let (registry, runtime) = (ParserFactory::new().registry().clone(), runtime());
            let read = move || {
                let mut parser = registry.create_parser(parser).expect("a parser");
                runtime.block_on(async {
                    if !in_pieces {
                        return parser.parse_complete_with_tools(text, &tools).await.map_or(0, |(_, calls)| calls.len());
                    }
                    let mut count = 0;
                    for piece in pieces(text) {
                        let read = parser.parse_incremental(piece, &tools).await;
                        count += read.map_or(0, |read| read.calls.iter().filter(|call| call.name.is_some()).count());
                    }
                    count
                })
            };
            readers.push((if in_pieces { "tool-parser in pieces" } else { "tool-parser" }, Box::new(read)));
        }
    }
    readers
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime")
}

/// Pieces of four characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(4).map_or(rest.len(), |(end, _)| end);
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}
