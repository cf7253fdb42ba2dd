-- Up Migration

-- The few users with a device who are notified on it of every message of their channels, unless a subscription says
-- otherwise.
-- Without a transaction: the table may be large.
create index concurrently if not exists known_users_by_push on known_users (realm_id)
  where projection -> 'has_push_devices' = 'true'
    and projection -> 'settings' -> 'enable_stream_push_notifications' = 'true';

-- Down Migration

drop index concurrently if exists known_users_by_push;
