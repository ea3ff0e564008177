//! Drives a client whose Requests are made by the builder of ro_jrpc.rs, as docs/testing-a-client.md says.
mod ro_jrpc;

use ro_jrpc::RequestBuilder;
use serde_json::{json, value::RawValue, Value};
use std::collections::HashMap;
use std::io::{stdin, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{mpsc, Arc, Mutex};
use std::time::Duration;

type Message = HashMap<String, Box<RawValue>>;
type Waiting = Arc<Mutex<HashMap<String, mpsc::Sender<Message>>>>;

struct Client {
    stream: TcpStream,
    waiting: Waiting,
    next: u64,
}

impl Client {
    fn connect(address: &str) -> std::io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        let (reader, waiting) = (BufReader::new(stream.try_clone()?), Waiting::default());
        let waited = waiting.clone();
        std::thread::spawn(move || {
            for line in reader.split(b'\n').map_while(Result::ok) {
                let Ok(answer) = serde_json::from_slice::<Message>(&line) else { continue };
                let id = answer.get("id").map(|id| id.get().to_string()).unwrap_or_default();
                if !answer.contains_key("method") {
                    if let Some(wait) = waited.lock().unwrap().remove(&id) {
                        let _ = wait.send(answer);
                    }
                }
            }
            waited.lock().unwrap().clear(); // the connection ended, and with it all calls under way
        });
        Ok(Client { stream, waiting, next: 0 })
    }

    fn send(&mut self, text: String) -> std::io::Result<()> {
        self.stream.write_all((text + "\n").as_bytes())
    }

    /// The next id, and where the answer with it arrives.
    fn expect(&mut self) -> (u64, mpsc::Receiver<Message>) {
        self.next += 1;
        let (sender, receiver) = mpsc::channel();
        self.waiting.lock().unwrap().insert(self.next.to_string(), sender);
        (self.next, receiver)
    }
}

fn outcome(answer: Result<Message, mpsc::RecvTimeoutError>) -> String {
    match answer {
        Err(error) => format!(r#""failed":{}"#, json!(error.to_string())),
        Ok(answer) => match (answer.get("result"), answer.get("error")) {
            (Some(result), None) => format!(r#""result":{result}"#),
            (None, Some(error)) => format!(r#""error":{error}"#),
            _ => r#""failed":"neither a result nor an error""#.to_string(),
        },
    }
}

/// The text that a command asks for: with the builder where it names a resource, plain where not.
fn text_of(command: &Message, id: Option<u64>) -> String {
    let raw = |name: &str| command.get(name).cloned();
    let word = |name: &str| raw(name).and_then(|value| serde_json::from_str::<String>(value.get()).ok());
    let (Some(resource), Some(verb)) = (word("resource"), word("verb")) else {
        let mut text = format!(r#"{{"jsonrpc":"2.0","method":{}"#, command["method"]);
        if let Some(params) = raw("params") {
            text += &format!(r#","params":{params}"#);
        }
        if let Some(id) = id {
            text += &format!(r#","id":{id}"#);
        }
        return text + "}";
    };
    let mut builder = RequestBuilder::new(&resource, &verb)
        .raw_parent(raw("parent"))
        .raw_target(raw("target"))
        .params(raw("params"))
        .cache(raw("cache"));
    if let Some(subresource) = word("subresource") {
        builder = builder.subresource(&subresource);
    }
    if let Some(id) = id {
        builder = builder.id(id);
    }
    builder.build().text()
}

fn main() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let address = variable("JRPCHECK_URL").replace("tcp://", "");
    let timeout = Duration::from_millis(variable("JRPCHECK_TIMEOUT").parse().unwrap_or(5000));
    let mut client: Option<Client> = None;
    let can = json!(["call", "notify", "by-name", "concurrent", "resources"]);
    println!("{}", json!({"driver": 1, "name": "ro-jrpc (Rust)", "version": "1.0", "can": can}));
    for line in stdin().lock().lines().map_while(Result::ok) {
        let command: Message = serde_json::from_str(&line).expect("a command");
        let action: Value = serde_json::from_str(command["do"].get()).expect("a word");
        let tag = command["tag"].get().to_string();
        if action == "ping" {
            println!(r#"{{"tag":{tag},"result":"pong"}}"#);
            continue;
        }
        if client.is_none() {
            client = Client::connect(&address).ok();
        }
        let Some(connected) = client.as_mut() else {
            println!(r#"{{"tag":{tag},"failed":"nobody is there"}}"#);
            continue;
        };
        if action == "notify" {
            match connected.send(text_of(&command, None)) {
                Ok(()) => println!(r#"{{"tag":{tag},"result":null}}"#),
                Err(error) => println!(r#"{{"tag":{tag},"failed":{}}}"#, json!(error.to_string())),
            }
            continue;
        }
        let (id, receiver) = connected.expect();
        match connected.send(text_of(&command, Some(id))) {
            Ok(()) => {
                std::thread::spawn(move || println!(r#"{{"tag":{tag},{}}}"#, outcome(receiver.recv_timeout(timeout))));
            }
            Err(error) => println!(r#"{{"tag":{tag},"failed":{}}}"#, json!(error.to_string())),
        }
    }
}
