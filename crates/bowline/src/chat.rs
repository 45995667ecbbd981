//! `bowline [PATH]`: the chat in the terminal.

use crate::args::Chat;
use crate::exit::Exit;

pub(crate) async fn chat(_args: Chat) -> Exit {
    Exit::Usage
}
