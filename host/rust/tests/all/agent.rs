//! Runs `examples/agent.rs` against a server that plays the Responses API, and
//! checks what that received.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Reads one request and answers it with a message; returns path and body.
fn serve(listener: &TcpListener, said: &str) -> (String, Value) {
    let stream = accept(listener);
    let (path, body) = receive(&stream);
    let content = [json!({"type": "output_text", "text": said, "annotations": []})];
    let message = json!({"type": "message", "role": "assistant", "content": content});
    let answer = json!({"object": "response", "output": [message]}).to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
    write!(
        &stream,
        "{head}\r\nContent-Length: {}\r\n\r\n{answer}",
        answer.len()
    )
    .unwrap();
    (path, body)
}

/// Waits for a connection, not for ever: an example that ended sends none.
fn accept(listener: &TcpListener) -> TcpStream {
    let started = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).unwrap();
                return stream;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                assert!(started.elapsed() < Duration::from_secs(120), "no request");
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

fn receive(stream: &TcpStream) -> (String, Value) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let start = line.trim_end().to_owned();
    let mut length = 0;
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (start, serde_json::from_slice(&body).unwrap())
}

fn message(role: &str, text: &str) -> Value {
    let content = [json!({"type": "input_text", "text": text})];
    json!({"type": "message", "role": role, "content": content})
}

fn answer(text: &str) -> Value {
    let content = [json!({"type": "output_text", "text": text, "annotations": []})];
    json!({"type": "message", "role": "assistant", "content": content})
}

#[test]
fn several_turns() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    // Cargo puts examples beside the folder of its tests.
    let test = env::current_exe().unwrap();
    let example = test
        .parent()
        .unwrap()
        .with_file_name("examples")
        .join("agent");
    let mut child = Command::new(example)
        .arg("notes.txt")
        .current_dir(folder.path())
        .env(
            "MODEL_URL",
            format!("http://{}/v1", listener.local_addr().unwrap()),
        )
        .env("MODEL", "test")
        .env("MODEL_KEY", "key")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());

    let workspace = message(
        "developer",
        "<workspace>The user works on notes.txt.</workspace>",
    );
    let turns = [
        (
            "one",
            "Hello?",
            vec![
                message("user", "<external_open_file>one</external_open_file>"),
                workspace,
            ],
        ),
        ("one", "Anything new?", vec![]), // nothing changed: the model is told nothing twice
        (
            "zwei ✓",
            "And now?",
            vec![message(
                "user",
                "<external_open_file>zwei ✓</external_open_file>",
            )],
        ),
    ];
    let mut history = Vec::new();
    for (content, text, told) in turns {
        fs::write(&file, content).unwrap();
        writeln!(stdin, "{text}").unwrap();
        let (request, body) = serve(&listener, &format!("You said: {text}"));
        assert_eq!(request, "POST /v1/responses HTTP/1.1");
        history.extend(told);
        history.push(message("user", text));
        assert_eq!(body["input"], json!(history));
        assert_eq!(body["model"], "test");
        assert!(body["instructions"].as_str().unwrap().contains("external_"));
        history.push(answer(&format!("You said: {text}")));

        let mut said = String::new();
        stdout.read_line(&mut said).unwrap();
        assert_eq!(said.trim_end(), format!("You said: {text}"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
