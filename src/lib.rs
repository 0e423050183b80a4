pub mod transcript;
pub mod console;
pub mod jsonrpc;
pub mod frame;
