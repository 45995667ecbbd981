//! Stored outputs: the full text of a tool's result that was too long for the model.

use super::error::StoreError;
use super::{Store, sql};

impl Store {
    /// Keeps a text under an id of its session; a second one under the same id replaces it.
    pub async fn put_output(
        &self,
        session: &str,
        id: &str,
        text: &str,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::PUT_OUTPUT)
            .bind(session)
            .bind(id)
            .bind(text.as_bytes())
            .bind(at_ms)
            .execute(&mut *transaction)
            .await
            .map_err(|error| match error.as_database_error() {
                Some(refused) if refused.is_foreign_key_violation() => {
                    StoreError::NoSession(session.to_owned())
                }
                _ => StoreError::from(error),
            })?;
        transaction.commit().await?;
        Ok(())
    }

    pub async fn output(&self, session: &str, id: &str) -> Result<Option<String>, StoreError> {
        let mut reader = self.reader().await?;
        let body: Option<Vec<u8>> =
            sqlx::query_scalar(sql::OUTPUT).bind(session).bind(id).fetch_optional(&mut *reader).await?;
        Ok(body.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}
