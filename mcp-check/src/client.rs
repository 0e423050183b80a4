//! Stage 4: we are the server, and a client is judged.

mod agreement;
mod failures;
mod order;
mod run;
mod tolerance;

pub use run::Run;

use crate::{
    rule::{Check, Problem, failed, skipped},
    script::Script,
};
use mcp_from_scratch::frame::Framing;
use std::{cell::RefCell, collections::HashMap, rc::Rc, time::Duration};

/// All checks, in the order in which they run.
pub fn checks() -> Vec<Check<Client>> {
    let mut checks = order::checks();
    checks.extend(agreement::checks());
    checks.extend(tolerance::checks());
    checks.extend(failures::checks());
    checks
}

/// The client under test, and what its runs have shown.
pub struct Client {
    pub command: Vec<String>,
    pub framing: Framing,
    /// How long one run may take.
    pub patience: Duration,
    /// This program, which is the server too.
    pub me: String,
    runs: RefCell<HashMap<Script, Rc<Run>>>,
}

impl Client {
    pub fn new(
        command: Vec<String>,
        framing: Framing,
        patience: Duration,
        me: String,
    ) -> Self {
        Self { command, framing, patience, me, runs: RefCell::default() }
    }

    /// Runs the client with a server of that script, once.
    fn run(&self, script: Script) -> Result<Rc<Run>, Problem> {
        if let Some(run) = self.runs.borrow().get(&script) {
            return Ok(run.clone());
        }
        let run = Rc::new(Run::of(self, script)?);
        self.runs.borrow_mut().insert(script, run.clone());
        Ok(run)
    }

    /// The plain run, if the client came to talk in it.
    fn plain(&self) -> Result<Rc<Run>, Problem> {
        let run = self.run(Script::Plain)?;
        if run.requests().next().is_none() {
            return skipped("it says nothing to its server, see `conversation`");
        }
        Ok(run)
    }

    /// A run with another script, which must go like the plain one: ended by itself,
    /// with the same methods and the same exit status.
    fn undisturbed(&self, script: Script, cause: &str) -> Result<Rc<Run>, Problem> {
        let plain = self.plain()?;
        let run = self.run(script)?;
        let (expected, got) = (plain.course(), run.course());
        match expected == got {
            true => Ok(run),
            false => failed(expected, got, format!("{cause}{}", run.stderr())),
        }
    }
}
