//! A client with a peer in the same process: what goes over the wire, and what its
//! callers get.

mod peer;

mod answers;
mod closing;
mod handler;
mod handshake;
mod incoming;
mod malformed;
mod paging;
mod timeouts;
