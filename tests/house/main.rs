//! The rules that hold the house up, read off the sources. Each check is a function
//! over text that says what is wrong, so that it can be shown a bad sample.

mod dependencies;
mod imports;
mod purity;
mod readme;
mod source;
mod stages;
mod terms;
mod text;
