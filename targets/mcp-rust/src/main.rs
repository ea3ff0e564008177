//! An MCP server of the official Rust SDK over standard input and output.

use rmcp::{
    handler::server::wrapper::Parameters, tool, tool_router, transport::stdio, ServiceExt,
};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Given {
    text: String,
}

#[derive(Clone)]
struct Demo;

#[tool_router(server_handler)]
impl Demo {
    #[tool(description = "Give a text back")]
    fn echo(&self, Parameters(given): Parameters<Given>) -> String {
        given.text
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Demo.serve(stdio()).await?.waiting().await?;
    Ok(())
}
