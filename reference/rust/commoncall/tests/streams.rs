//! A stream gives what the whole text gives, and looks at no character again and again.

use std::time::{Duration, Instant};

use commoncall::extraction::{Event, Extractor, extract};
use commoncall::{Environment, Failure, serde_json::json};

fn pieces(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|piece| piece.iter().collect()).collect()
}

#[test]
fn chunks_change_nothing() -> Result<(), Failure> {
    let call = "{\"name\": \"f\", \"arguments\": {\"a\": [1,]}}";
    let texts = [
        format!("Hi <tool_call>{call}</tool_call> ok"),
        format!("<think>So. <tools>{call}</think>\n"),
        format!("Write `<tools>{call}</tools>`, \"<tools>{call}\" or\n\n    <tools>{call}\n"),
        format!("<tools>\n<tool_call>{call}\n</tools> <tool_call> is a tag <!-- {call}"),
        format!("{call}</tool_call> <tool_call>{{bad\n\n</tool_call>\u{1f600}"),
    ];
    for text in texts {
        let whole = extract(&json!({"text": text, "effective": ["f"]}), Environment::default())?;
        for length in [1, 2, 3, 7] {
            let mut extractor = Extractor::new(&json!({"effective": ["f"]}))?;
            let mut events: Vec<Event> = pieces(&text, length).iter().flat_map(|piece| extractor.push(piece)).collect();
            let (last, result) = extractor.end(Environment::default())?;
            events.extend(last);
            assert_eq!(result["segments"], whole["segments"], "{text}");
            let shown: String = events.iter().map(|event| if let Event::Text(text) = event { text.as_str() } else { "" }).collect();
            assert_eq!(shown, whole["content"].as_str().unwrap_or_default(), "{text}");
        }
    }
    Ok(())
}

#[test]
fn long_runs_are_read_once() -> Result<(), Failure> {
    let blanks = " ".repeat(100_000);
    for begin in ["<tool_call", "<tool_call>", "<tool_call>{}", "```json", "<function=f><parameter=a>x</parameter>"] {
        let format = if begin.starts_with("<f") { "qwen3-coder" } else { "hermes" };
        let mut extractor = Extractor::new(&json!({"effective": ["f"], "format": format}))?;
        extractor.push(begin);
        let start = Instant::now();
        for piece in pieces(&blanks, 4) {
            extractor.push(&piece);
        }
        // A quadratic reading takes minutes in a build without optimisation.
        assert!(start.elapsed() < Duration::from_secs(20), "{begin}");
        extractor.end(Environment::default())?;
    }
    Ok(())
}
