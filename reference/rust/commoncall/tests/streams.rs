//! A stream gives what the whole text gives.

use commoncall::extraction::{Event, Extractor, extract};
use commoncall::{
    Environment, Failure,
    serde_json::{Value, json},
};

fn pieces(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|piece| piece.iter().collect()).collect()
}

/// Holds the results of a text in chunks of these lengths to the one of the whole text.
fn same(text: &str, input: &Value, lengths: &[usize]) -> Result<(), Failure> {
    let mut asked = input.clone();
    asked["text"] = text.into();
    let whole = extract(&asked, Environment::default())?;
    for &length in lengths {
        let mut extractor = Extractor::new(input)?;
        let mut events: Vec<Event> = pieces(text, length).iter().flat_map(|piece| extractor.push(piece)).collect();
        let (last, result) = extractor.end(Environment::default())?;
        events.extend(last);
        assert_eq!(result["segments"], whole["segments"], "{text:?} {input}");
        let shown: String = events.iter().map(|event| if let Event::Text(text) = event { text.as_str() } else { "" }).collect();
        assert_eq!(shown, whole["content"].as_str().unwrap_or_default(), "{text:?} {input}");
    }
    Ok(())
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
    texts.iter().try_for_each(|text| same(text, &json!({"effective": ["f"]}), &[1, 2, 3, 7]))
}

/// Texts that are made up of what decides: marks of code and of quotations, markers, calls, and words.
#[test]
fn chunks_change_no_made_up_text() -> Result<(), Failure> {
    let pieces = [
        "some words",
        " ",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "\r\n",
        "`",
        "```",
        "~~~",
        "> ",
        "- ",
        "12. ",
        "# ",
        "---",
        "<!--",
        "-->",
        "[x](",
        ")",
        "]: ",
        "\\",
        "\"",
        "'",
        "«\u{a0}",
        "»",
        "é",
        "日本",
        "<",
        ">",
        "<div>",
        "<b a=\"",
        "<pre>",
        "</pre>",
        "<tool_call>",
        "</tool_call>",
        "<tools>",
        "</tools>",
        "<think>",
        "</think>",
        "<function=f>",
        "<parameter=a>",
        "</parameter>",
        "</function>",
        "{\"name\": \"f\", \"arguments\": {\"a\": [1,]}}",
        "{",
        "}",
        "[f(a=1)]",
        "http://x.y",
        "<x@y.z>",
    ];
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |most: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % most as u64).unwrap_or_default()
    };
    for _ in 0..3_000 {
        let text: String = (0..=below(20)).map(|_| pieces[below(pieces.len())]).collect();
        let format = ["hermes", "qwen3-coder", "llama-3", "granite-3"][below(4)];
        same(&text, &json!({"effective": ["f"], "format": format}), &[1, 3])?;
    }
    Ok(())
}
