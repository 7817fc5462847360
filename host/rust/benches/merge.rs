//! Measures the package beside a guest that only echoes, through the same SDK.
//!
//! The echo moves as many bytes as merge does: it is the mean of an echo of the
//! request and one of the answer. It is built with the go tool. With `--once`
//! every measurement is made briefly, to see that it works.

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use extism::{Plugin, PluginBuilder};
use turncontext::{Context, Entry, Merge, Module, Store};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How often everything is measured.
struct Plan {
    inputs: usize, // different ones to rotate through, so that none becomes warm
    rounds: usize, // of which the median is taken
    round: Duration,
    starts: usize,
    calls: usize, // of the measurement of memory
}

const FULL: Plan = Plan {
    inputs: 64,
    rounds: 9,
    round: Duration::from_millis(200),
    starts: 5,
    calls: 100_000,
};
const ONCE: Plan = Plan {
    inputs: 4,
    rounds: 1,
    round: Duration::from_millis(1),
    starts: 1,
    calls: 1_000,
};

/// A kind of request: its size in bytes, its entries, and that one in so many
/// has changed.
const WORKLOADS: [(&str, usize, usize, usize); 2] =
    [("300 B", 300, 1, 4), ("43 KB", 43_000, 10, 10)];

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [option, module] = arguments.as_slice()
        && option == "--open"
    {
        return open(module);
    }
    let plan = if arguments.iter().any(|argument| argument == "--once") {
        &ONCE
    } else {
        &FULL
    };
    let folder = tempfile::tempdir()?;
    println!("building the echo");
    let echo = build_echo(folder.path())?;
    measure_calls(plan, &echo)?;
    measure_starts(plan, &echo, folder.path())?;
    measure_memory(plan)
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Builds the echo as the module itself is built.
fn build_echo(folder: &Path) -> Result<PathBuf> {
    let file = folder.join("echo.wasm");
    let output = Command::new("go")
        .args([
            "build",
            "-buildmode=c-shared",
            "-trimpath",
            "-buildvcs=false",
        ])
        .args(["-ldflags=-s -w -buildid=", "-o"])
        .arg(&file)
        .arg("./echo")
        .current_dir(repository("bench"))
        .envs([("GOOS", "wasip1"), ("GOARCH", "wasm"), ("GOWORK", "off")])
        .envs(["GOWASM", "GOEXPERIMENT", "GOFLAGS", "GODEBUG"].map(|name| (name, "")))
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(file)
}

fn plugin(module: &Path) -> Result<Plugin> {
    Ok(PluginBuilder::new(fs::read(module)?)
        .with_wasi(true)
        .build()?)
}

// ---- calls

fn measure_calls(plan: &Plan, echo: &Path) -> Result<()> {
    let module = Module::options().instances(1).open()?;
    let mut echo = plugin(echo)?;
    println!(
        "\nmerge, medians of {} rounds; goals at 300 B: echo + 10 µs, at 43 KB: 1.2 x echo",
        plan.rounds
    );
    println!(
        "request  bytes in  bytes out  merge, raw  merge, typed      echo    raw/echo  raw-echo"
    );
    for (name, size, entries, every) in WORKLOADS {
        let inputs: Vec<Input> = (0..plan.inputs)
            .map(|number| input(&module, number, size, entries, every))
            .collect::<Result<_>>()?;
        let mut samples: [Vec<Duration>; 4] = Default::default();
        for round in 0..=plan.rounds {
            let mut order = [0, 1, 2, 3];
            if round % 2 == 1 {
                order.reverse(); // a slow spell of the machine meets all of them
            }
            for which in order {
                let sample = time(plan, &inputs, |input| match which {
                    0 => Ok(black_box(module.call("merge", &input.request)?).len()),
                    1 => Ok(black_box(module.merge(Some(&input.store), &input.merge)?)
                        .inputs
                        .len()),
                    2 => Ok(black_box(echo.call::<&[u8], Vec<u8>>("merge", &input.request)?).len()),
                    _ => Ok(black_box(echo.call::<&[u8], Vec<u8>>("merge", &input.answer)?).len()),
                })?;
                if round > 0 {
                    samples[which].push(sample); // the first round is for warming up
                }
            }
        }
        let [raw, typed, echo_in, echo_out] = samples.map(median);
        let echo = (echo_in + echo_out) / 2;
        let mean =
            |length: fn(&Input) -> usize| inputs.iter().map(length).sum::<usize>() / inputs.len();
        println!(
            "{name:>7}  {:>8}  {:>9}  {:>7.1} µs  {:>9.1} µs  {:>5.1} µs  {:>8.2} {:>6.1} µs",
            mean(|input| input.request.len()),
            mean(|input| input.answer.len()),
            micros(raw),
            micros(typed),
            micros(echo),
            micros(raw) / micros(echo),
            micros(raw) - micros(echo),
        );
    }
    Ok(())
}

/// The time of one call, over a round.
fn time(
    plan: &Plan,
    inputs: &[Input],
    mut call: impl FnMut(&Input) -> Result<usize>,
) -> Result<Duration> {
    let mut calls = 0;
    let started = Instant::now();
    while calls < inputs.len() || started.elapsed() < plan.round {
        for input in inputs {
            call(input)?;
        }
        calls += inputs.len();
    }
    Ok(started.elapsed() / u32::try_from(calls)?)
}

/// One request to rotate through, raw and typed, with its answer.
struct Input {
    request: Vec<u8>,
    store: Store,
    merge: Merge,
    answer: Vec<u8>,
}

/// A request with the store of the answer before, and a context of the same
/// keys, some of them with another value.
fn input(
    module: &Module,
    number: usize,
    size: usize,
    entries: usize,
    every: usize,
) -> Result<Input> {
    let mut random = Random(number as u64 * 7919 + size as u64);
    // In the store and in the context, each entry has 49 bytes beside its value.
    let length = (size - 32) / (2 * entries) - 49;
    let mut told = Context::default();
    let mut current = Context::default();
    for entry in 0..entries {
        let key = format!("browser_tab_{entry:02}");
        let value = random.text(length);
        let changed = (number * entries + (entry + number) % entries) % every == every - 1;
        let next = if changed {
            random.text(length)
        } else {
            value.clone()
        };
        told.0.insert(key.clone(), Some(Entry::untrusted(value)));
        current.0.insert(key, Some(Entry::untrusted(next)));
    }
    let store = module.merge(None, &told.into())?.store;
    let request = format!(
        r#"{{"store":{store},"additionalContext":{}}}"#,
        serde_json::to_string(&current)?
    );
    let answer = module.call("merge", &request)?;
    Ok(Input {
        request: request.into_bytes(),
        store,
        merge: current.into(),
        answer,
    })
}

/// A generator of numbers that is always the same (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    /// Lines of words, as on a page, that take so many bytes in JSON.
    fn text(&mut self, length: usize) -> String {
        const WORDS: [&str; 16] = [
            "agent", "branch", "buffer", "cache", "client", "error", "file", "index", "\"job\"",
            "layer", "log", "merge", "page", "request", "server", "token",
        ];
        let mut text = String::new();
        let mut left = length;
        while left > 10 {
            let end = if self.below(9) == 0 { ".\n" } else { " " };
            for part in [WORDS[self.below(WORDS.len())], end] {
                text += part;
                left -= part.len() + part.matches(['"', '\n']).count();
            }
        }
        text + &".".repeat(left)
    }
}

// ---- start-up

/// Opens one module in this process and prints how long that took, with the
/// first call.
fn open(module: &str) -> Result<()> {
    let started = Instant::now();
    if module.is_empty() {
        Module::open()?.call("merge", "{}")?;
    } else {
        plugin(Path::new(module))?.call::<&str, Vec<u8>>("merge", "{}")?;
    }
    println!("{}", started.elapsed().as_micros());
    Ok(())
}

fn measure_starts(plan: &Plan, echo: &Path, folder: &Path) -> Result<()> {
    println!(
        "\nstart-up: open and the first call, medians of {}",
        plan.starts
    );
    for (name, module) in [
        ("turncontext", ""),
        ("echo", echo.to_str().ok_or("a path")?),
    ] {
        let mut cold = Vec::new();
        let mut second = Vec::new();
        for start in 0..plan.starts {
            let cache = folder.join(format!("cache-{name}-{start}"));
            for samples in [&mut cold, &mut second] {
                let output = Command::new(env::current_exe()?)
                    .args(["--open", module])
                    .env("XDG_CACHE_HOME", &cache)
                    .output()?;
                let text = String::from_utf8(output.stdout)?;
                samples.push(Duration::from_micros(text.trim().parse()?));
                // The SDK's cache is written by a thread of its own.
            }
        }
        println!(
            "  {name:<12} cold {:>7.0} ms   second process {:>6.1} ms",
            micros(median(cold)) / 1e3,
            micros(median(second)) / 1e3
        );
    }

    // A call that runs out of memory drops the instance; the next makes one.
    let module = Module::options()
        .instances(1)
        .memory_limit(8 << 20)
        .open()?;
    let mut further = Vec::new();
    for _ in 0..plan.starts * 4 {
        if module.call("merge", vec![b' '; 12 << 20]).is_ok() {
            return Err("the memory limit holds nothing".into());
        }
        let started = Instant::now();
        module.call("merge", "{}")?;
        further.push(started.elapsed());
    }
    println!(
        "  a further instance, with its first call: {:.1} ms",
        micros(median(further)) / 1e3
    );
    Ok(())
}

// ---- memory

fn measure_memory(plan: &Plan) -> Result<()> {
    let module = Module::options().instances(1).open()?;
    let (_, size, entries, every) = WORKLOADS[1];
    let inputs: Vec<Input> = (0..plan.inputs)
        .map(|number| input(&module, number, size, entries, every))
        .collect::<Result<_>>()?;
    println!(
        "\nmemory over {} calls of 43 KB, in MiB of the whole process",
        plan.calls
    );
    let step = plan.calls / 10;
    for call in 0..=plan.calls {
        if call % step == 0 {
            println!(
                "  {call:>6} calls: {}",
                resident().map_or("unknown".into(), |mib| mib.to_string())
            );
        }
        module.call("merge", &inputs[call % inputs.len()].request)?;
    }
    Ok(())
}

/// What the process holds in memory, in MiB, where the system tells.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? >> 10)
}

// ---- numbers

fn median(mut samples: Vec<Duration>) -> Duration {
    samples.sort_unstable();
    samples[samples.len() / 2]
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
