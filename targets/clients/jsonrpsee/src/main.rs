//! The driver of jsonrpsee's asynchronous client over WebSocket (docs/testing-a-client.md).
use jsonrpsee_client_transport::ws::WsTransportClientBuilder;
use jsonrpsee_core::client::{Client, ClientBuilder, ClientT, Error};
use jsonrpsee_core::params::{ArrayParams, BatchRequestBuilder, ObjectParams};
use jsonrpsee_core::traits::ToRpcParams;
use serde_json::{json, value::RawValue};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{stdin, AsyncBufReadExt, BufReader};

type Text = Box<RawValue>;
type Members = HashMap<String, Text>;

/// Arguments by position, by name, or none.
enum Arguments {
    List(ArrayParams),
    Named(ObjectParams),
    None,
}

impl ToRpcParams for Arguments {
    fn to_rpc_params(self) -> Result<Option<Text>, serde_json::Error> {
        match self {
            Arguments::List(list) => list.to_rpc_params(),
            Arguments::Named(named) => named.to_rpc_params(),
            Arguments::None => Ok(None),
        }
    }
}

fn arguments(params: Option<&Text>) -> Result<Arguments, serde_json::Error> {
    let Some(params) = params else { return Ok(Arguments::None) };
    if params.get().starts_with('[') {
        let mut list = ArrayParams::new();
        for one in serde_json::from_str::<Vec<Text>>(params.get())? {
            list.insert(one)?;
        }
        return Ok(Arguments::List(list));
    }
    let mut named = ObjectParams::new();
    for (name, value) in serde_json::from_str::<Members>(params.get())? {
        named.insert(&name, value)?;
    }
    Ok(Arguments::Named(named))
}

fn word(command: &Members, name: &str) -> String {
    command.get(name).and_then(|text| serde_json::from_str(text.get()).ok()).unwrap_or_default()
}

/// A member and its value, of a call that ended.
fn outcome(ended: Result<Text, Error>) -> String {
    match ended {
        Ok(result) => format!(r#""result":{result}"#),
        Err(Error::Call(error)) => {
            let data = error.data().map(|data| format!(r#","data":{data}"#)).unwrap_or_default();
            format!(r#""error":{{"code":{},"message":{}{data}}}"#, error.code(), json!(error.message()))
        }
        Err(error) => format!(r#""failed":{}"#, json!(error.to_string())),
    }
}

async fn batch(client: &Client, command: &Members) -> Result<String, Error> {
    let list: Vec<Members> = serde_json::from_str(command["list"].get())?;
    if list.iter().any(|one| one.contains_key("notify")) {
        return Err(Error::Custom("a batch of this client has no notifications".to_string()));
    }
    let methods: Vec<String> = list.iter().map(|one| word(one, "method")).collect();
    let mut batch = BatchRequestBuilder::new();
    for (one, method) in list.iter().zip(&methods) {
        batch.insert(method, arguments(one.get("params"))?)?;
    }
    let ended = client.batch_request::<Text>(batch).await?;
    let told: Vec<String> =
        ended.into_iter().map(|one| format!("{{{}}}", outcome(one.map_err(|error| Error::Call(error.into_owned()))))).collect();
    Ok(format!(r#""list":[{}]"#, told.join(",")))
}

async fn carry_out(client: &Client, command: &Members) -> Result<String, Error> {
    let method = word(command, "method");
    Ok(match word(command, "do").as_str() {
        "call" => outcome(client.request(&method, arguments(command.get("params"))?).await),
        "notify" => {
            client.notification(&method, arguments(command.get("params"))?).await?;
            r#""result":null"#.to_string()
        }
        _ => batch(client, command).await?,
    })
}

async fn connect() -> Result<Client, String> {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let url = url::Url::parse(&variable("JRPCHECK_URL")).map_err(|error| error.to_string())?;
    let (sender, receiver) = WsTransportClientBuilder::default().build(url).await.map_err(|error| error.to_string())?;
    let timeout = Duration::from_millis(variable("JRPCHECK_TIMEOUT").parse().unwrap_or(5000));
    Ok(ClientBuilder::default().request_timeout(timeout).build_with_tokio(sender, receiver))
}

#[tokio::main]
async fn main() {
    // A batch is of calls alone.
    let can = ["call", "notify", "batch", "by-name", "concurrent", "connect", "close"];
    println!("{}", json!({"driver": 1, "name": "jsonrpsee", "version": "0.26.1", "can": can}));
    let mut client: Option<Arc<Client>> = None;
    let mut lines = BufReader::new(stdin()).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let command: Members = serde_json::from_str(&line).expect("a command");
        let tag = command["tag"].get().to_string();
        let told = match word(&command, "do").as_str() {
            "ping" => r#""result":"pong""#.to_string(),
            "close" => {
                client = None;
                r#""result":null"#.to_string()
            }
            "connect" => match connect().await {
                Ok(connected) => {
                    client = Some(Arc::new(connected));
                    r#""result":null"#.to_string()
                }
                Err(error) => format!(r#""failed":{}"#, json!(error)),
            },
            _ => match client.clone() {
                None => r#""failed":"not connected""#.to_string(),
                Some(client) => {
                    tokio::spawn(async move {
                        let told = carry_out(&client, &command).await.unwrap_or_else(|error| outcome(Err(error)));
                        println!(r#"{{"tag":{tag},{told}}}"#);
                    });
                    continue;
                }
            },
        };
        println!(r#"{{"tag":{tag},{told}}}"#);
    }
    std::process::exit(0);
}
