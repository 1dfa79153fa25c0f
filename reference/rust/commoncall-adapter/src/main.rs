//! The adapter of the crate for the conformance kit: it reads a request a line and answers each with a line.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use commoncall::serde_json::{Value, json};
use commoncall::{Environment, OPERATIONS, nesting_depth, parse, run};

const LONGEST: u64 = 16_777_216;
const DEEPEST: usize = 256;

const FEATURES: &[&str] = &["diagnostics", "otel", "streaming", "more-dialects", "typed-parameters", "formats", "parts"];

fn main() -> ExitCode {
    match converse(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{trouble}");
            ExitCode::from(2)
        }
    }
}

fn converse(requests: &mut impl BufRead, answers: &mut impl Write) -> Result<(), String> {
    while let Some(request) = next_request(requests)? {
        let reply = match request["cmd"].as_str() {
            Some("start") => declaration(),
            Some("stop") => return Ok(()),
            Some("run") => answer(&request)?,
            _ => return Err("a line has no known cmd".into()),
        };
        writeln!(answers, "{reply}").and_then(|()| answers.flush()).map_err(|_| "nobody reads the answers")?;
    }
    Ok(())
}

fn next_request(requests: &mut impl BufRead) -> Result<Option<Value>, String> {
    let mut line = Vec::new();
    requests.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line).map_err(|_| "a line cannot be read")?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop() != Some(b'\n') || line.len() as u64 >= LONGEST {
        return Err("a line is too long or has no end".into());
    }
    let text = std::str::from_utf8(&line).map_err(|_| "a line is no UTF-8")?;
    if nesting_depth(text) > DEEPEST {
        return Err("a line nests too deep".into());
    }
    let request = parse(text).ok_or("a line is no JSON")?;
    request.is_object().then_some(Some(request)).ok_or_else(|| "a line is no object".into())
}

fn declaration() -> Value {
    json!({
        "protocol": 1,
        "implementation": {"name": "commoncall-rust", "version": env!("CARGO_PKG_VERSION"), "language": "Rust"},
        "operations": OPERATIONS,
        "features": FEATURES,
    })
}

fn answer(request: &Value) -> Result<Value, String> {
    let (seq, operation, input) = (&request["seq"], request["operation"].as_str(), request.get("input"));
    let (true, Some(operation), Some(input)) = (seq.is_number(), operation, input) else {
        return Err("a run is out of form".into());
    };
    let Some(environment) = environment(request.get("env")) else {
        return Ok(json!({"seq": seq, "errored": {"message": "env is out of form"}}));
    };
    Ok(match run(operation, input, environment) {
        None => json!({"seq": seq, "skipped": {"reason": format!("no operation {operation}")}}),
        Some(Ok(result)) => json!({"seq": seq, "result": result}),
        Some(Err(failure)) => {
            let mut error = failure.members;
            error.insert("code".into(), failure.code.into());
            json!({"seq": seq, "error": error})
        }
    })
}

fn environment(env: Option<&Value>) -> Option<Environment> {
    let Some(env) = env else { return Some(Environment::default()) };
    let env = env.as_object()?;
    let list = |name: &str| env.get(name).map_or(Some(None), |list| list.as_array().map(Some));
    Some(Environment {
        ids: match list("ids")? {
            Some(ids) => Some(ids.iter().map(|id| id.as_str().map(str::to_owned)).collect::<Option<_>>()?),
            None => None,
        },
        clock_ms: match list("clock_ms")? {
            Some(readings) => Some(readings.iter().map(Value::as_f64).collect::<Option<_>>()?),
            None => None,
        },
    })
}
