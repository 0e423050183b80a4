//! Stage 4: the checker is the server, and a client is tested.

mod agreement;
mod failures;
mod order;
mod run;
mod tolerance;

use crate::{
    rule::{Check, Problem, failed, skipped},
    script::Script,
};
use mcp_from_scratch::frame::Framing;
use run::Run;
use std::{cell::RefCell, collections::HashMap, rc::Rc, time::Duration};

/// All checks, in the order in which they run.
pub fn checks() -> Vec<Check<Client>> {
    let mut checks = order::checks();
    checks.extend(agreement::checks());
    checks.extend(tolerance::checks());
    checks.extend(failures::checks());
    checks
}

/// The client under test, and its runs.
pub struct Client {
    pub command: Vec<String>,
    pub framing: Framing,
    /// The limit for one run.
    pub timeout: Duration,
    /// The checker's program, which is the server too.
    pub server: String,
    runs: RefCell<HashMap<Script, Rc<Run>>>,
}

impl Client {
    pub fn new(
        command: Vec<String>,
        framing: Framing,
        timeout: Duration,
        server: String,
    ) -> Self {
        Self { command, framing, timeout, server, runs: RefCell::default() }
    }

    /// Runs the client with a server of this script, once.
    fn run(&self, script: Script) -> Result<Rc<Run>, Problem> {
        if let Some(run) = self.runs.borrow().get(&script) {
            return Ok(run.clone());
        }
        let run = Rc::new(Run::of(self, script)?);
        self.runs.borrow_mut().insert(script, run.clone());
        Ok(run)
    }

    /// The plain run, if the client has sent requests in it.
    fn plain(&self) -> Result<Rc<Run>, Problem> {
        let run = self.run(Script::Plain)?;
        if run.requests().next().is_none() {
            return skipped("it sends no request to its server, see `conversation`");
        }
        Ok(run)
    }

    /// A run with another script, unless the client sends nothing at all.
    fn other_run(&self, script: Script) -> Result<Rc<Run>, Problem> {
        self.plain()?;
        self.run(script)
    }

    /// A run with another script that must be like the plain one: the same methods and
    /// the same exit status.
    fn undisturbed(&self, script: Script, cause: &str) -> Result<Rc<Run>, Problem> {
        let (plain, run) = (self.plain()?, self.run(script)?);
        let (expected, got) = (plain.summary(), run.summary());
        match expected == got {
            true => Ok(run),
            false => failed(expected, got, format!("{cause}{}", run.stderr)),
        }
    }
}
