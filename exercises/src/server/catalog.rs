//! What a server offers, shared by all its sessions.

#![allow(unused)]

use crate::{
    protocol::{Capabilities, Implementation},
    tool::{DuplicateTool, Tool, ToolInfo},
};
use std::{fmt, sync::Arc};

/// A server's name, capabilities and tools.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// `serverInfo`.
    pub server: Implementation,
    /// What the server declares.
    pub capabilities: Capabilities,
    tools: Vec<Offered>,
}

/// A tool with its description.
#[derive(Clone)]
pub struct Offered {
    /// Its entry in `tools/list`.
    pub info: Arc<ToolInfo>,
    tool: Arc<dyn Tool>,
}

impl Catalog {
    /// A catalog without tools.
    pub fn new(server: Implementation) -> Self {
        Self { server, capabilities: Capabilities::TOOLS, tools: Vec::new() }
    }

    /// Adds a tool after the others. Error: there is a tool of that name.
    pub fn add(
        &mut self,
        info: ToolInfo,
        tool: impl Tool + 'static,
    ) -> Result<(), DuplicateTool> {
        if self.find(&info.name).is_some() {
            return Err(DuplicateTool(info.name));
        }
        self.tools.push(Offered { info: Arc::new(info), tool: Arc::new(tool) });
        Ok(())
    }

    /// The tools in the order in which they were added.
    pub fn tools(&self) -> &[Offered] {
        &self.tools
    }

    /// The tool of this exact name.
    pub fn find(&self, name: &str) -> Option<&Offered> {
        self.tools.iter().find(|offered| offered.info.name == name)
    }
}

impl Offered {
    /// The tool itself.
    pub fn tool(&self) -> &dyn Tool {
        &*self.tool
    }
}

impl PartialEq for Offered {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tool, &other.tool)
    }
}

impl fmt::Debug for Offered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Offered").field(&self.info.name).finish()
    }
}
