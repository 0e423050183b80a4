//! Where the code of a submission runs: bubblewrap (`bwrap`) takes away the network,
//! the other processes and the files, `prlimit` sets limits.

use anyhow::{Context, Result, ensure};
use std::{
    collections::BTreeSet,
    os::unix::fs::chown,
    path::{Path, PathBuf},
    process::Command,
};

/// What compilers, linkers and programs need of the system.
const SYSTEM: [&str; 6] =
    ["/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"];
const DEVICES: [&str; 2] = ["/dev/null", "/dev/urandom"];
const NAMESPACES: &str = "--unshare-pid --unshare-net --unshare-ipc --unshare-uts \
    --unshare-cgroup-try --die-with-parent";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    Bubblewrap,
    /// Only time and output are limited, by [`crate::run`].
    Off,
}

/// What one program may use, beside the system's programs and libraries.
pub struct Grant {
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// In bytes, for each process.
    pub memory: u64,
    /// Processes and threads together.
    pub processes: u64,
}

impl Sandbox {
    /// Checks that bubblewrap works on this machine.
    pub fn bubblewrap() -> Result<Self> {
        let (read, write) = (Vec::new(), Vec::new());
        let grant = Grant { read, write, memory: 1 << 30, processes: 9 };
        let (program, folder) = (Path::new("/bin/true"), Path::new("/"));
        let probe = Self::Bubblewrap.command(program, folder, &grant).output();
        probe.context("cannot start bwrap").and_then(|probe| {
            let reported = String::from_utf8_lossy(&probe.stderr).trim().to_owned();
            ensure!(probe.status.success(), "{reported}");
            Ok(Self::Bubblewrap)
        })
        .context(
            "bubblewrap does not work here; install it (Debian, Ubuntu, Fedora: the \
             package bubblewrap), or use --no-sandbox for submissions that you trust",
        )
    }

    /// A command that runs `program` in `folder`; its arguments are yet to be added.
    pub fn command(self, program: &Path, folder: &Path, grant: &Grant) -> Command {
        let mut command = match self {
            Self::Bubblewrap => in_bubblewrap(program, folder, grant),
            Self::Off => Command::new(program),
        };
        command.env_clear().env("LANG", "C.UTF-8").env("TMPDIR", folder);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.current_dir(folder);
        command
    }

    /// Lets the sandbox's user write to a folder.
    pub fn give(self, folder: &Path) -> Result<()> {
        let user = user().filter(|_| self == Self::Bubblewrap);
        user.map_or(Ok(()), |user| chown(folder, Some(user), Some(user)))
            .with_context(|| format!("cannot change the owner of {}", folder.display()))
    }
}

fn in_bubblewrap(program: &Path, folder: &Path, grant: &Grant) -> Command {
    let mut command = Command::new("bwrap");
    command.args(NAMESPACES.split(' '));
    // The folders above those that are mounted. bubblewrap makes them for root alone.
    let granted = grant.read.iter().chain(&grant.write).map(PathBuf::as_path);
    let system = SYSTEM.iter().chain(&DEVICES).map(Path::new);
    let above = granted.chain(system).flat_map(|path| path.ancestors().skip(1));
    for path in BTreeSet::from_iter(above) {
        command.args(["--perms", "0755", "--dir"]).arg(path);
    }
    for path in SYSTEM {
        command.args(["--ro-bind-try", path, path]);
    }
    command.args(["--proc", "/proc"]);
    for device in DEVICES {
        command.args(["--dev-bind", device, device]);
    }
    for path in &grant.read {
        command.arg("--ro-bind-try").arg(path).arg(path);
    }
    for path in &grant.write {
        command.arg("--bind").arg(path).arg(path);
    }
    command.args(["--remount-ro", "/", "--chdir"]).arg(folder);
    match user() {
        None => command.args(["--unshare-user", "--"]),
        Some(user) => {
            let user = user.to_string();
            command.args(["--", "setpriv", "--clear-groups", "--no-new-privs"]);
            command.args(["--inh-caps=-all", "--bounding-set=-all"]);
            command.args(["--reuid", &user, "--regid", &user, "--"])
        }
    };
    command.args(["prlimit", "--core=0", "--fsize=268435456"]);
    command.arg(format!("--data={}", grant.memory));
    command.arg(format!("--nproc={}", grant.processes));
    command.arg("--").arg(program);
    command
}

/// Root is exempt from the limit of processes, so programs that root starts run as
/// another user: one for each worker, because the kernel counts processes by user.
fn user() -> Option<u32> {
    let worker = rayon::current_thread_index().unwrap_or_default() % 16;
    let user = 50_000 + std::process::id() % 600 * 16 + worker as u32;
    rustix::process::geteuid().is_root().then_some(user)
}
