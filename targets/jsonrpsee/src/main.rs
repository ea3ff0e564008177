//! A jsonrpsee server on HTTP and WebSocket (one port serves both), written as the crate's documentation shows.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jsonrpsee::core::RpcResult;
use jsonrpsee::server::Server;
use jsonrpsee::types::{ErrorObjectOwned, Params};
use jsonrpsee::RpcModule;
use serde::Deserialize;
use serde_json::{json, value::RawValue, Value};

#[derive(Deserialize)]
struct Subtract {
    minuend: i64,
    subtrahend: i64,
}

#[derive(Deserialize)]
struct Application {
    code: i32,
    data: Box<RawValue>,
}

#[derive(Deserialize)]
struct Slow {
    ms: u64,
}

fn took_effect(_: Params, took: &AtomicU64, _: &jsonrpsee::Extensions) {
    took.fetch_add(1, Ordering::SeqCst);
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).expect("an address to listen on");
    let mut module = RpcModule::new(AtomicU64::new(0));

    // serde reads a struct from an Array (in order) or from an Object (by name).
    module.register_method("subtract", |params, _, _| -> RpcResult<i64> {
        let args: Subtract = params.parse()?;
        Ok(args.minuend - args.subtrahend)
    })?;
    module.register_method("sum", |params, _, _| -> RpcResult<i64> {
        let values: Vec<i64> = params.parse()?;
        Ok(values.iter().sum())
    })?;
    module.register_method("get_data", |_, _, _| json!(["hello", 5]))?;
    for name in ["update", "notify_hello", "notify_sum"] {
        module.register_method(name, took_effect)?;
    }
    module.register_method("echo", |params, _, _| params.parse::<Value>())?;
    module.register_method("app_error", |params, _, _| -> RpcResult<()> {
        let args: Application = params.parse()?;
        Err(ErrorObjectOwned::owned(args.code, "application error", Some(args.data)))
    })?;
    module.register_method("fail", |_, _, _| -> RpcResult<()> { panic!("the handler failed") })?;
    module.register_async_method("slow", |params, _, _| async move {
        let args: Slow = params.parse()?;
        tokio::time::sleep(Duration::from_millis(args.ms)).await;
        RpcResult::Ok(args.ms)
    })?;
    module.register_method("count", |_, took, _| took.load(Ordering::SeqCst))?;

    let server = Server::builder().build(address).await?;
    server.start(module).stopped().await;
    Ok(())
}
