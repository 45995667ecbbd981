//! Everything bowline does to the world: files, processes, model servers, the store. It makes few decisions.

pub mod process;
pub mod tools;
pub mod workspace;
