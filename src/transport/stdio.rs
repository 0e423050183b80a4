//! This process's standard input and output as asynchronous streams.
//!
//! tokio's own handles pass every operation to another thread, which costs three times
//! a round trip. A pipe or a socket can be polled instead. Everything else (terminals,
//! files, other systems) uses tokio's handles.

#[cfg(not(target_os = "linux"))]
use std::io;
use tokio::io::{AsyncRead, AsyncWrite};

type Input = Box<dyn AsyncRead + Send + Unpin>;
type Output = Box<dyn AsyncWrite + Send + Unpin>;

#[cfg(not(target_os = "linux"))]
pub fn input() -> io::Result<Input> {
    Ok(Box::new(tokio::io::stdin()))
}

#[cfg(not(target_os = "linux"))]
pub fn output() -> io::Result<Output> {
    Ok(Box::new(tokio::io::stdout()))
}

#[cfg(target_os = "linux")]
pub use linux::{input, output};

#[cfg(target_os = "linux")]
mod linux {
    use super::{Input, Output};
    use std::{
        fs::File,
        io,
        os::{
            fd::{AsFd, OwnedFd},
            unix::{fs::FileTypeExt, net},
        },
    };
    use tokio::net::{UnixStream, unix::pipe::OpenOptions};

    // ANCHOR: input
    pub fn input() -> io::Result<Input> {
        match kind(io::stdin().as_fd())? {
            Kind::Pipe => match OpenOptions::new().open_receiver("/proc/self/fd/0") {
                Ok(pipe) => Ok(Box::new(pipe)),
                Err(_) => Ok(Box::new(tokio::io::stdin())), // another user's pipe
            },
            Kind::Socket(socket) => Ok(Box::new(unix_stream(socket)?)),
            Kind::Other => Ok(Box::new(tokio::io::stdin())),
        }
    }
    // ANCHOR_END: input

    pub fn output() -> io::Result<Output> {
        match kind(io::stdout().as_fd())? {
            Kind::Pipe => match OpenOptions::new().open_sender("/proc/self/fd/1") {
                Ok(pipe) => Ok(Box::new(pipe)),
                Err(_) => Ok(Box::new(tokio::io::stdout())), // or one without a reader
            },
            Kind::Socket(socket) => Ok(Box::new(unix_stream(socket)?)),
            Kind::Other => Ok(Box::new(tokio::io::stdout())),
        }
    }

    // ANCHOR: kind
    enum Kind {
        /// Reopened through /proc: setting O_NONBLOCK on the inherited descriptor would
        /// also set it on a stderr that shares it (`2>&1`), and on the parent's end.
        Pipe,
        Socket(OwnedFd),
        Other,
    }
    // ANCHOR_END: kind

    fn kind(fd: impl AsFd) -> io::Result<Kind> {
        let file = File::from(fd.as_fd().try_clone_to_owned()?);
        let kind = file.metadata()?.file_type();
        Ok(match () {
            () if kind.is_fifo() => Kind::Pipe,
            () if kind.is_socket() => Kind::Socket(file.into()),
            () => Kind::Other,
        })
    }

    fn unix_stream(socket: OwnedFd) -> io::Result<UnixStream> {
        let stream = net::UnixStream::from(socket);
        stream.set_nonblocking(true)?;
        UnixStream::from_std(stream)
    }
}
