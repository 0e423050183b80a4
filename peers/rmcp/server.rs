//! A server on rmcp. The four small servers have the same tools.

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceError, ServiceExt,
    handler::server::wrapper::Parameters,
    model::{
        CallToolResult, ContentBlock, Implementation, PingRequest, ServerCapabilities,
        ServerConfig, ServerRequest,
    },
    schemars, tool, tool_handler, tool_router,
    transport::stdio,
};
use std::time::Duration;

#[derive(Clone)]
struct Tools;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    text: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Wait {
    ms: u64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct PingBack {
    times: u32,
}

#[tool_router]
impl Tools {
    #[tool]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool]
    fn fail(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text("it broke")])
    }

    #[tool]
    async fn wait(&self, Parameters(Wait { ms }): Parameters<Wait>) -> String {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        ms.to_string()
    }

    /// Sends requests to the client while its own call is pending.
    #[tool]
    async fn ping_back(
        &self,
        Parameters(PingBack { times }): Parameters<PingBack>,
        peer: rmcp::Peer<RoleServer>,
    ) -> Result<String, ErrorData> {
        for _ in 0..times {
            let ping = ServerRequest::PingRequest(PingRequest::default());
            let pong = peer.send_request(ping).await;
            pong.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        }
        Ok(format!("{times} pongs"))
    }

    #[tool]
    #[allow(deprecated)]
    async fn ask_roots(&self, peer: rmcp::Peer<RoleServer>) -> String {
        match peer.list_roots().await {
            Ok(_) => "roots received".into(),
            Err(ServiceError::McpError(error)) => error.code.0.to_string(),
            Err(error) => error.to_string(),
        }
    }
}

#[tool_handler]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("rmcp", "1.0.0"))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    Tools.serve(stdio()).await?.waiting().await?;
    Ok(())
}
