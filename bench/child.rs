//! A child of the benchmark, for the programs in Rust. The protocol is in
//! child.go.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Instant;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Sends one request and returns its answer.
pub type Call<'a> = &'a dyn Fn(&[u8]) -> Result<Vec<u8>>;

/// Carries out what the standard input says, up to its end.
pub fn serve(merge: Call, echo: Call) -> Result<()> {
    let call = |name: &str| match name {
        "merge" => Ok(merge),
        "echo" => Ok(echo),
        _ => Err(format!("unknown call {name:?}")),
    };
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut requests: Vec<Vec<u8>> = Vec::new();
    loop {
        let line = read_line(&mut input)?;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => return Ok(()),
            ["load", count] => {
                requests = (0..count.parse()?)
                    .map(|_| read_request(&mut input))
                    .collect::<Result<_>>()?;
                writeln!(output)?;
            }
            ["answer", name, index] => {
                let answer = call(name)?(&requests[index.parse::<usize>()?])?;
                writeln!(output, "{}", answer.len())?;
                output.write_all(&answer)?;
            }
            ["run", name, first, count] => {
                let nanoseconds = run(call(name)?, &requests, first.parse()?, count.parse()?)?;
                writeln!(output, "{nanoseconds}")?;
            }
            _ => return Err(format!("unknown command {line:?}").into()),
        }
        output.flush()?;
    }
}

fn read_line(input: &mut impl BufRead) -> Result<String> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(line)
}

fn read_request(input: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut request = vec![0; read_line(input)?.trim().parse()?];
    input.read_exact(&mut request)?;
    Ok(request)
}

/// Makes calls, with each request in its turn, and returns how many nanoseconds
/// they took.
fn run(call: Call, requests: &[Vec<u8>], first: usize, count: usize) -> Result<u128> {
    let turns = requests.iter().cycle().skip(first).take(count);
    let start = Instant::now();
    for request in turns {
        black_box(call(black_box(request))?);
    }
    Ok(start.elapsed().as_nanos())
}
