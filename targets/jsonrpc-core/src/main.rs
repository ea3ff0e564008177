//! A jsonrpc-core server on standard input and output, written as the crates' documentation shows.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use jsonrpc_core::{Error, ErrorCode, IoHandler, Params, Value};
use jsonrpc_stdio_server::ServerBuilder;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Subtract {
    minuend: f64,
    subtrahend: f64,
}

#[derive(Deserialize)]
struct Application {
    code: i64,
    data: Value,
}

#[derive(Deserialize)]
struct Slow {
    ms: u64,
}

fn number(value: f64) -> Value {
    if value.fract() == 0.0 {
        json!(value as i64)
    } else {
        json!(value)
    }
}

#[tokio::main]
async fn main() {
    let took = Arc::new(AtomicU64::new(0));
    let mut io = IoHandler::default();

    // serde reads a struct from an Array (in order) or from an Object (by name).
    io.add_sync_method("subtract", |params: Params| {
        let args: Subtract = params.parse()?;
        Ok(number(args.minuend - args.subtrahend))
    });
    io.add_sync_method("sum", |params: Params| {
        let values: Vec<f64> = params.parse()?;
        Ok(number(values.iter().sum()))
    });
    io.add_sync_method("get_data", |_: Params| Ok(json!(["hello", 5])));
    io.add_sync_method("echo", |params: Params| Ok(Value::from(params)));
    io.add_sync_method("app_error", |params: Params| {
        let args: Application = params.parse()?;
        Err(Error {
            code: ErrorCode::from(args.code),
            message: "application error".into(),
            data: Some(args.data),
        })
    });
    io.add_method("slow", |params: Params| async move {
        let args: Slow = params.parse()?;
        tokio::time::sleep(Duration::from_millis(args.ms)).await;
        Ok(json!(args.ms))
    });
    for name in ["update", "notify_hello", "notify_sum"] {
        let took = took.clone();
        io.add_notification(name, move |_: Params| {
            took.fetch_add(1, Ordering::SeqCst);
        });
    }
    io.add_sync_method("count", move |_: Params| Ok(json!(took.load(Ordering::SeqCst))));

    ServerBuilder::new(io).build().await;
}
