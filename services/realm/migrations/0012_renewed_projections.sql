-- Up Migration

-- Users got organizations without `digest_emails_enabled` and `digest_weekday`. A higher version has them fetched again.
-- Safe while the release before runs: it raises versions itself, and organizations are few.
update realms set version = version + 1;

-- Down Migration

-- Versions only grow.
