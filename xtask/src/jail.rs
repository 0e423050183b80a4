//! What a submission's program may do. This program starts itself as a launcher, which
//! sets the limits on itself and then becomes the other program: so no code runs
//! between a fork and an exec.

use crate::say::say;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    convert::Infallible,
    ffi::OsString,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

/// The limits of one program. Everything is refused that is not named here.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Policy {
    /// Files and folders to read, and to run programs from.
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// In bytes.
    pub memory: u64,
    /// The longest file that it may write, in bytes.
    pub file: u64,
    /// How many threads it may add to those that its user has.
    pub threads: u64,
    /// Whether it may start other processes.
    pub processes: bool,
    /// In seconds of all its threads; for what nobody stops any more.
    pub cpu: Option<u64>,
    /// Who it runs as; root's programs could do too much.
    pub user: Option<u32>,
}

impl Policy {
    /// A command that runs `program` under this policy; arguments are for the program.
    /// It finds nothing in its environment but where programs are and where to write.
    pub fn command(&self, program: &Path, temporary: &Path) -> Result<Command> {
        let own = std::env::current_exe().context("cannot find this program")?;
        let mut command = Command::new(own);
        command.arg("launch").arg(serde_json::to_string(self)?).arg("--").arg(program);
        command.env_clear().env("TMPDIR", temporary).env("LANG", "C");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        Ok(command)
    }
}

/// Takes the policy on, and becomes the program. Without a program, prints what this
/// machine cannot enforce, a line for each.
pub fn enter(policy: &str, program: &[OsString]) -> Result<Option<Infallible>> {
    let policy: Policy = serde_json::from_str(policy).context("not a policy")?;
    let missing = system::confine(&policy)?;
    let [program, arguments @ ..] = program else {
        missing.iter().try_for_each(say)?;
        return Ok(None);
    };
    let mut command = Command::new(program);
    command.args(arguments);
    system::end_with_parent(policy.user).context("cannot be the other user")?;
    if let Some(user) = policy.user {
        command.uid(user).gid(user);
    }
    let error = command.exec();
    Err(error).with_context(|| format!("cannot start {}", program.to_string_lossy()))
}

/// What this machine cannot enforce.
pub fn missing() -> Result<Vec<String>> {
    let policy = Policy { memory: 1 << 30, threads: 8, ..Policy::default() };
    let own = std::env::current_exe().context("cannot find this program")?;
    let launcher = Command::new(own)
        .arg("launch")
        .arg(serde_json::to_string(&policy)?)
        .output()
        .context("cannot start the launcher")?;
    let said = String::from_utf8_lossy(&launcher.stderr).trim().to_owned();
    anyhow::ensure!(launcher.status.success(), "the launcher does not work: {said}");
    Ok(String::from_utf8_lossy(&launcher.stdout).lines().map(str::to_owned).collect())
}

#[cfg(target_os = "linux")]
mod system {
    use super::Policy;
    use anyhow::{Context, Result};
    use landlock::{
        ABI, Access, AccessFs, AccessNet, NetPort, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
    };
    use rustix::{
        process::{
            Gid, Resource, Rlimit, Signal, Uid, getrlimit, getuid,
            set_parent_process_death_signal, setrlimit,
        },
        thread::{set_thread_gid, set_thread_groups, set_thread_uid},
    };
    use std::{fs, os::unix::fs::MetadataExt};

    /// What is asked of the kernel; an older one gives what it has.
    const ASKED: ABI = ABI::V6;

    pub fn confine(policy: &Policy) -> Result<Vec<String>> {
        let user = policy.user.unwrap_or_else(|| getuid().as_raw());
        // A limit that is lower already cannot be raised, and need not be.
        let most = |resource, limit: u64| {
            let limit =
                getrlimit(resource).maximum.map_or(limit, |there| limit.min(there));
            let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
            setrlimit(resource, limit).context("cannot set a limit")
        };
        most(Resource::Core, 0)?;
        most(Resource::Data, policy.memory)?;
        most(Resource::Fsize, policy.file)?;
        if let Some(seconds) = policy.cpu {
            most(Resource::Cpu, seconds)?;
        }
        most(Resource::Nproc, threads_of(user) + policy.threads)?;
        let mut missing = Vec::new();
        missing.extend(match files(policy).context("cannot close the files")? {
            RulesetStatus::FullyEnforced => None,
            RulesetStatus::PartiallyEnforced => Some(
                "this kernel's Landlock is old: programs of submissions are not kept \
                 from all signals and sockets",
            ),
            RulesetStatus::NotEnforced => Some(
                "this kernel has no Landlock: programs of submissions can read and \
                 write what their user can",
            ),
        });
        if calls(policy.processes).is_err() {
            missing.push(
                "this machine has no seccomp: programs of submissions can start others \
                 and reach the network",
            );
        }
        Ok(missing.into_iter().map(str::to_owned).collect())
    }

    /// Whoever ends the judging ends what it started. The kernel forgets the wish when a
    /// process becomes another user's, so that comes first.
    pub fn end_with_parent(user: Option<u32>) -> rustix::io::Result<()> {
        if let Some(user) = user {
            set_thread_groups(&[])?;
            set_thread_gid(Gid::from_raw(user))?;
            set_thread_uid(Uid::from_raw(user))?;
        }
        set_parent_process_death_signal(Some(Signal::KILL))
    }

    fn files(policy: &Policy) -> Result<RulesetStatus, landlock::RulesetError> {
        let (read, all) = (AccessFs::from_read(ASKED), AccessFs::from_all(ASKED));
        let null = AccessFs::ReadFile | AccessFs::WriteFile;
        let status = Ruleset::default()
            .handle_access(all)?
            .handle_access(AccessNet::from_all(ASKED))?
            .scope(Scope::from_all(ASKED))?
            .create()?
            .add_rules(path_beneath_rules(&policy.read, read))?
            .add_rules(path_beneath_rules(&policy.write, all))?
            .add_rules(path_beneath_rules(["/dev/null"], null))?
            .add_rule(NetPort::new(0, AccessNet::BindTcp))?
            .restrict_self()?;
        Ok(status.ruleset)
    }

    /// The kernel counts threads by user, so the limit stands above those there are.
    fn threads_of(user: u32) -> u64 {
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let theirs = processes.filter(|entry| {
            let digits = entry.file_name().to_string_lossy().parse::<u32>().is_ok();
            digits && entry.metadata().is_ok_and(|data| data.uid() == user)
        });
        let threads = |path| fs::read_dir(path).map_or(0, Iterator::count);
        theirs.map(|entry| threads(entry.path().join("task")) as u64).sum()
    }

    /// Refuses sockets but those of TCP, which Landlock closes: a test may listen, to
    /// show that nobody comes. Refuses other processes if there are to be none; threads
    /// are clones too, and stay. `clone3` hides its flags from a filter; libc falls back
    /// to `clone` where there is none.
    fn calls(processes: bool) -> Result<()> {
        use seccompiler::{
            SeccompAction::{self, Allow, Errno},
            SeccompCmpArgLen::{Dword, Qword},
            SeccompCmpOp::{MaskedEq, Ne},
            SeccompCondition as Condition, SeccompFilter, SeccompRule,
        };
        let thread = libc::CLONE_THREAD as u64;
        let no_thread =
            SeccompRule::new(vec![Condition::new(0, Qword, MaskedEq(thread), 0)?])?;
        let forks = [
            (libc::SYS_clone, vec![no_thread]),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_fork, Vec::new()),
            #[cfg(target_arch = "x86_64")]
            (libc::SYS_vfork, Vec::new()),
        ];
        let internet = [libc::AF_INET, libc::AF_INET6];
        let other = internet.map(|family| Condition::new(0, Dword, Ne, family as u64));
        let other = other.into_iter().collect::<Result<_, _>>()?;
        let mut sockets = vec![SeccompRule::new(other)?];
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET] {
            let is_kind = Condition::new(1, Dword, MaskedEq(0xf), kind as u64)?;
            sockets.push(SeccompRule::new(vec![is_kind])?);
        }
        let mut refused = vec![
            (libc::SYS_socket, sockets),
            (libc::SYS_io_uring_setup, Vec::new()),
            (libc::SYS_ptrace, Vec::new()),
        ];
        refused.extend(forks.into_iter().filter(|_| !processes));
        let apply = |calls: Vec<_>, answer: SeccompAction| -> Result<()> {
            let arch = std::env::consts::ARCH.try_into()?;
            let calls = calls.into_iter().collect();
            let filter = SeccompFilter::new(calls, Allow, answer, arch)?;
            let program: seccompiler::BpfProgram = filter.try_into()?;
            Ok(seccompiler::apply_filter(&program)?)
        };
        apply(refused, Errno(libc::EPERM as u32))?;
        apply(vec![(libc::SYS_clone3, Vec::new())], Errno(libc::ENOSYS as u32))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Policy;
    use anyhow::Result;

    pub fn end_with_parent(_: Option<u32>) -> Result<()> {
        Ok(())
    }

    pub fn confine(_: &Policy) -> Result<Vec<String>> {
        Ok(vec![
            "this is no Linux: programs of submissions are limited in time and output \
             only"
                .into(),
        ])
    }
}
