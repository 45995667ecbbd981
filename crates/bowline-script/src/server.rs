//! The player behind a real socket: HTTP/1.1 on loopback, by hand, so that cuts and resets are exact.
//!
//! It listens on 127.0.0.1 only and ends, with every connection, when it is dropped. A wait of the script is real time
//! here. It holds no state of its own but the count of requests whose client went away.

mod connection;
mod request;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};

use crate::player::{Player, Recorded};
use crate::profile::{Kind, Profile};
use crate::reply::Reply;

/// More at once than any client of a test or demonstration opens; a further one is closed at once.
const CONNECTIONS_MAX: usize = 256;

/// A scripted server that is listening.
#[derive(Debug)]
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    kind: Kind,
    accepting: JoinHandle<()>,
}

/// What every connection has a part in.
#[derive(Debug)]
struct Shared {
    player: Mutex<Player>,
    aborted: AtomicUsize,
    /// Rung whenever a request came, or was aborted, or its answer ended.
    bell: Notify,
}

impl Shared {
    /// A poisoned lock still holds a whole player: its methods don't leave it half changed.
    fn player(&self) -> MutexGuard<'_, Player> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    /// Listens on a free port.
    pub async fn start(profile: Profile, replies: Vec<Reply>) -> io::Result<Self> {
        Self::start_on(0, profile, replies).await
    }

    /// Listens on this port; 0 is a free one.
    pub async fn start_on(port: u16, profile: Profile, replies: Vec<Reply>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let kind = profile.kind;
        let shared = Arc::new(Shared {
            player: Mutex::new(Player::new(profile, replies)),
            aborted: AtomicUsize::new(0),
            bell: Notify::new(),
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { shared, address, kind, accepting })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a user would give as the server's address: with `/v1`, for Ollama without.
    pub fn base_url(&self) -> String {
        let path = if self.kind == Kind::Ollama { "" } else { "/v1" };
        format!("http://{}{path}", self.address)
    }

    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.player().requests().to_vec()
    }

    pub fn violations(&self) -> Vec<String> {
        self.shared.player().violations().to_vec()
    }

    pub fn replies_left(&self) -> usize {
        self.shared.player().replies_left()
    }

    /// How many answers could not be played to their end because the client closed the connection.
    pub fn aborted(&self) -> usize {
        self.shared.aborted.load(Ordering::SeqCst)
    }

    /// Waits until `holds` says yes, asking again whenever a request came, ended or was aborted. Bound it with a
    /// timeout of your own.
    pub async fn until(&self, mut holds: impl FnMut(&Self) -> bool) {
        loop {
            let rung = self.shared.bell.notified();
            tokio::pin!(rung);
            // Enabled before the look, so that nothing that happens after it is missed.
            rung.as_mut().enable();
            if holds(self) {
                return;
            }
            rung.await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The connections belong to the accepting task and end with it.
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                if connections.len() < CONNECTIONS_MAX {
                    connections.spawn(connection::serve(stream, Arc::clone(&shared)));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}
