-- Up Migration

-- The subscribers who are notified on their devices of every message of a channel.
-- Without a transaction: the table may be large.
create index concurrently if not exists subscriptions_by_push on subscriptions (channel_id) where push_notifications;

-- Down Migration

drop index concurrently if exists subscriptions_by_push;
