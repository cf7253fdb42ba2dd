-- Up Migration

-- The few users who are mailed every message of their channels, unless a subscription says otherwise.
-- Without a transaction: the table may be large.
create index concurrently if not exists known_users_by_email on known_users (realm_id)
  where projection -> 'settings' -> 'enable_stream_email_notifications' = 'true';

-- Down Migration

drop index concurrently if exists known_users_by_email;
