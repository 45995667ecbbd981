//! The tests of bowline-host, in one program.

#[path = "all/postgres.rs"]
mod postgres;
#[path = "all/store.rs"]
mod store;
#[path = "all/store_lease.rs"]
mod store_lease;
#[path = "all/store_log.rs"]
mod store_log;
#[path = "all/store_open.rs"]
mod store_open;
#[path = "all/store_tables.rs"]
mod store_tables;
