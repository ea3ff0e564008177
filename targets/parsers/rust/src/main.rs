//! Adapter for the JSON parsers of Rust: adapter serde_json|simd-json|json|sonic-rs
use std::io::{Read, Write};

type Answer = Result<Vec<u8>, String>;

fn with_serde_json(text: &[u8]) -> Answer {
    let value: serde_json::Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    serde_json::to_vec(&value).map_err(|error| error.to_string())
}

fn with_simd_json(text: &[u8]) -> Answer {
    let mut bytes = text.to_vec();
    let value: simd_json::OwnedValue = simd_json::to_owned_value(&mut bytes).map_err(|error| error.to_string())?;
    simd_json::to_vec(&value).map_err(|error| error.to_string())
}

fn with_json(text: &[u8]) -> Answer {
    // The library reads strings only; what is not UTF-8 never reaches it.
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    json::parse(text).map(|value| json::stringify(value).into_bytes()).map_err(|error| error.to_string())
}

fn with_sonic_rs(text: &[u8]) -> Answer {
    let value: sonic_rs::Value = sonic_rs::from_slice(text).map_err(|error| error.to_string())?;
    sonic_rs::to_vec(&value).map_err(|error| error.to_string())
}

fn send(body: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(&(body.len() as u32).to_be_bytes())?;
    out.write_all(body)?;
    out.flush()
}

fn main() -> std::io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let (version, read): (&str, fn(&[u8]) -> Answer) = match name.as_str() {
        "serde_json" => ("1.0.145", with_serde_json),
        "simd-json" => ("0.17.0", with_simd_json),
        "json" => ("0.12.4", with_json),
        "sonic-rs" => ("0.5.10", with_sonic_rs),
        _ => {
            eprintln!("adapter: name a library");
            std::process::exit(2);
        }
    };
    send(format!("I{{\"name\":\"{name}\",\"version\":\"{version}\",\"language\":\"Rust\"}}").as_bytes())?;
    let mut input = std::io::stdin().lock();
    let mut head = [0; 4];
    while input.read_exact(&mut head).is_ok() {
        let mut text = vec![0; u32::from_be_bytes(head) as usize];
        input.read_exact(&mut text)?;
        let (first, mut rest) = match read(&text) {
            Ok(written) => (b'A', written),
            Err(why) => (b'R', why.into_bytes()),
        };
        if first == b'R' {
            rest.truncate(1000);
        }
        rest.insert(0, first);
        send(&rest)?;
    }
    Ok(())
}
