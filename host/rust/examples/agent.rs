//! A small agent loop: reads what the user says, a line a turn, and asks a
//! model. It tells the model of a file that the user works on, only when that
//! has changed.
//!
//! ```text
//! MODEL_URL=https://api.openai.com/v1 MODEL_KEY=… MODEL=… \
//!     cargo run --example agent -- notes.txt
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::{env, fs};

use serde_json::{Value, json};
use turncontext::{Context, Entry, Module, Thread, TurnStart, TurnStartParams, UserInput};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let file = env::args().nth(1).ok_or("usage: agent FILE")?;
    let module = Module::open()?;
    let mut agent = Agent {
        instructions: module.guidance(None)?.text,
        thread: module.new_thread("agent"),
        history: Vec::new(),
    };
    for (number, line) in io::stdin().lines().enumerate() {
        // What is outside now. turncontext finds out what of it is new.
        let context = Context::from([
            ("open_file", Entry::untrusted(fs::read_to_string(&file)?)),
            (
                "workspace",
                Entry::application(format!("The user works on {file}.")),
            ),
        ]);
        println!(
            "{}",
            agent.turn(&format!("turn-{number}"), &line?, context)?
        );
        io::stdout().flush()?;
    }
    Ok(())
}

struct Agent {
    instructions: String,
    thread: Thread,
    /// What the model sees, as the Responses API takes it.
    history: Vec<Value>,
}

impl Agent {
    /// Runs a turn and returns what the model said.
    fn turn(&mut self, id: &str, text: &str, context: Context) -> Result<String> {
        let params = TurnStartParams {
            input: vec![UserInput::text(text)],
            additional_context: Some(context),
            ..Default::default()
        };
        let prepared = self.thread.prepare_start(TurnStart::new(id, params))?;
        for input in &prepared.inputs {
            self.history.push(serde_json::to_value(&input.item)?);
        }
        // A program that keeps its threads writes the history here, and then
        // prepared.state().
        prepared.commit();

        let output = model(&self.instructions, &self.history);
        self.thread.end(id)?;
        let output = output?;
        self.history.extend(output.iter().cloned());
        Ok(said(&output))
    }
}

/// Asks the model, and returns the items of its answer.
fn model(instructions: &str, history: &[Value]) -> Result<Vec<Value>> {
    let url = env::var("MODEL_URL")?;
    let key = env::var("MODEL_KEY").unwrap_or_default();
    let request = json!({
        "model": env::var("MODEL")?,
        "instructions": instructions,
        "input": history,
        "store": false,
    });
    let mut response = ureq::post(format!("{url}/responses"))
        .header("Authorization", format!("Bearer {key}"))
        .send_json(&request)?;
    let mut answer: Value = response.body_mut().read_json()?;
    match answer["output"].take() {
        Value::Array(items) => Ok(items),
        other => Err(format!("an answer without output: {other}").into()),
    }
}

/// The text in the items of an answer.
fn said(output: &[Value]) -> String {
    let parts = output
        .iter()
        .filter_map(|item| item["content"].as_array())
        .flatten();
    parts.filter_map(|part| part["text"].as_str()).collect()
}
