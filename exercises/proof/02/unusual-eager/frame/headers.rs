//! Not needed: `reader` does its work.
