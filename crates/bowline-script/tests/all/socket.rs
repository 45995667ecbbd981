//! The server over a real socket.
