//! What the book says about the code is held by the code. mdBook itself reports none of
//! this: a missing file, a missing region and a dead link all end in success.
//!
//! The rendered pages are checked elsewhere, with a browser; here only the sources are.

#[path = "../house/source.rs"]
#[allow(dead_code)]
mod source;
#[path = "../house/stages.rs"]
mod targets;

mod commands;
mod includes;
mod listings;
mod names;
mod pages;
mod recordings;
mod regions;
mod stages;
mod transcripts;
mod wide;
