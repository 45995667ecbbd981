//! Leases: which process runs a session's turn, and which session may write in a work tree.
//!
//! A lease is good for [`LEASE_MS`] and is renewed long before that. Each time it is taken its epoch grows by one, and
//! what its holder appends is checked against holder and epoch, so a process that slept through its lease cannot write
//! into another's turn.
//!
//! Who may take one that is not free is decided by [`LeaseInfo::is_held`]:
//! - its process ran on this machine and is gone: at once, whatever the time says;
//! - its process runs on this machine: not before [`LEASE_GRACE_MS`] after it ran out. Renewals come late on a busy
//!   machine and clocks jump, and a turn that works must not be robbed for that; a process that has been stopped for
//!   longer must not keep a session for ever;
//! - its process is elsewhere: once it ran out, by the clock of the one who asks.

use sqlx::any::AnyRow;
use sqlx::{Any, Row, Transaction};

use super::error::{LeaseError, StoreError};
use super::holder::{Holder, Whereabouts};
use super::{Store, sql};

/// How long a lease is good for without being renewed.
pub const LEASE_MS: i64 = 60_000;
/// How long past its end a lease still counts while its process runs on this machine.
pub const LEASE_GRACE_MS: i64 = 600_000;
/// Looks at a lease that changes hands under one's eyes before it counts as the other's.
const TAKE_ATTEMPTS_MAX: usize = 4;

/// What a lease is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// The turns of a session.
    Session(String),
    /// Turns that can write in a work tree: its path, absolute and without links.
    Tree(String),
}

impl Scope {
    pub(super) fn text(&self) -> String {
        match self {
            Scope::Session(id) => format!("session:{id}"),
            Scope::Tree(path) => format!("tree:{path}"),
        }
    }
}

/// A lease this process took. It may be lost since: only an append or a renewal tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    scope: String,
    session: String,
    holder: String,
    epoch: i64,
}

impl Lease {
    pub fn epoch(&self) -> i64 {
        self.epoch
    }

    /// The session it was taken for.
    pub fn session(&self) -> &str {
        &self.session
    }

    pub(super) fn is_of_session(&self, session: &str) -> bool {
        self.scope.strip_prefix("session:") == Some(session)
    }
}

/// A lease as it stands in the database, whoever holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseInfo {
    pub scope: String,
    /// A [`Holder`] as text.
    pub holder: String,
    pub epoch: i64,
    /// 0 when it was given up.
    pub until_ms: i64,
    pub session: String,
}

impl LeaseInfo {
    /// Whether nobody else may take it now.
    pub fn is_held(&self, now_ms: i64) -> bool {
        if self.until_ms == 0 {
            return false;
        }
        let holder = Holder::parse(&self.holder);
        match holder.map_or(Whereabouts::Elsewhere, |holder| holder.whereabouts()) {
            Whereabouts::Gone => false,
            Whereabouts::Alive => self.until_ms.saturating_add(LEASE_GRACE_MS) >= now_ms,
            Whereabouts::Elsewhere => self.until_ms >= now_ms,
        }
    }

    /// The holder's process, for the user to look at.
    pub fn pid(&self) -> Option<i32> {
        Holder::parse(&self.holder).map(|holder| holder.pid())
    }
}

/// What came of asking for a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    Yes(Lease),
    Held { by: LeaseInfo },
}

impl Store {
    /// Takes a lease for a session, if it can be had. A process that holds it already does not get it twice.
    pub async fn take_lease(
        &self,
        scope: &Scope,
        session: &str,
        holder: &Holder,
        now_ms: i64,
    ) -> Result<Taken, StoreError> {
        // A session's own lease is for that session.
        let session = if let Scope::Session(id) = scope { id } else { session };
        let scope = scope.text();
        let holder = holder.to_string();
        let mut transaction = self.begin().await?;
        // Waits for an append that is under way, so that whoever gets the lease then reads all of the log.
        let locked = sqlx::query(sql::LOCK_SESSION).bind(session).execute(&mut *transaction).await?;
        if locked.rows_affected() == 0 {
            return Err(StoreError::NoSession(session.to_owned()));
        }
        for _ in 0..TAKE_ATTEMPTS_MAX {
            let now_held = find(&mut transaction, &scope).await?;
            let epoch = now_held.as_ref().map_or(0, |info| info.epoch);
            if let Some(by) = now_held.filter(|info| info.is_held(now_ms)) {
                return Ok(Taken::Held { by });
            }
            let taken: Option<i64> = sqlx::query_scalar(sql::TAKE_LEASE)
                .bind(&scope)
                .bind(&holder)
                .bind(epoch + 1)
                .bind(now_ms.saturating_add(LEASE_MS))
                .bind(session)
                .bind(epoch)
                .fetch_optional(&mut *transaction)
                .await?;
            if let Some(epoch) = taken {
                transaction.commit().await?;
                return Ok(Taken::Yes(Lease { scope, session: session.to_owned(), holder, epoch }));
            }
        }
        Err(StoreError::Busy)
    }

    /// Makes a lease good for another [`LEASE_MS`].
    pub async fn renew(&self, lease: &Lease, now_ms: i64) -> Result<(), LeaseError> {
        let mut transaction = self.begin().await?;
        let renewed = of_lease(sql::RENEW_LEASE, lease)
            .bind(now_ms.saturating_add(LEASE_MS))
            .execute(&mut *transaction)
            .await?;
        if renewed.rows_affected() == 0 {
            return Err(LeaseError::Lost { scope: lease.scope.clone() });
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Frees a lease. One that is lost already stays with whoever has it.
    pub async fn give_up(&self, lease: &Lease) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        of_lease(sql::GIVE_UP_LEASE, lease).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// A lease as it stands, if it was ever taken.
    pub async fn lease(&self, scope: &Scope) -> Result<Option<LeaseInfo>, StoreError> {
        let mut reader = self.reader().await?;
        let row = sqlx::query(sql::LEASE).bind(scope.text()).fetch_optional(&mut *reader).await?;
        Ok(row.as_ref().map(info).transpose()?)
    }
}

/// Whether the lease is still this holder's, in this epoch.
pub(super) async fn is_mine(
    transaction: &mut Transaction<'static, Any>,
    lease: &Lease,
) -> Result<bool, sqlx::Error> {
    let found = find(transaction, &lease.scope).await?;
    Ok(found.is_some_and(|info| {
        info.holder == lease.holder
            && info.epoch == lease.epoch
            && info.session == lease.session
            && info.until_ms != 0
    }))
}

pub(super) async fn find(
    transaction: &mut Transaction<'static, Any>,
    scope: &str,
) -> Result<Option<LeaseInfo>, sqlx::Error> {
    let row = sqlx::query(sql::LEASE).bind(scope).fetch_optional(&mut **transaction).await?;
    row.as_ref().map(info).transpose()
}

type Query<'q> = sqlx::query::Query<'q, Any, <Any as sqlx::Database>::Arguments>;

fn of_lease<'q>(statement: &'static str, lease: &'q Lease) -> Query<'q> {
    sqlx::query(statement)
        .bind(lease.scope.as_str())
        .bind(lease.holder.as_str())
        .bind(lease.epoch)
        .bind(lease.session.as_str())
}

fn info(row: &AnyRow) -> Result<LeaseInfo, sqlx::Error> {
    Ok(LeaseInfo {
        scope: row.try_get(0)?,
        holder: row.try_get(1)?,
        epoch: row.try_get(2)?,
        until_ms: row.try_get(3)?,
        session: row.try_get(4)?,
    })
}
