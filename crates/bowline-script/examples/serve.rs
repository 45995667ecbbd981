//! Serves a scenario's model by hand: `cargo run -p bowline-script --example serve -- FILE [PORT]`, then
//! `bowline run --base-url URL "…"` in another terminal. Ends with Ctrl-C.

use bowline_script::{Scenario, Server};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which scenario?")?;
    let port = arguments.next().map_or(Ok(0), |port| port.parse())?;
    let scenario = Scenario::parse(&std::fs::read_to_string(file)?)?;
    let server = Server::start_on(port, scenario.server, scenario.replies).await?;
    println!("{}", server.base_url());
    tokio::signal::ctrl_c().await?;
    for violation in server.violations() {
        println!("violation: {violation}");
    }
    Ok(())
}
