-- Up Migration

-- The few subscribers who are mailed every message of a channel.
-- Without a transaction: the table may be large.
create index concurrently if not exists subscriptions_by_email on subscriptions (channel_id) where email_notifications;

-- Down Migration

drop index concurrently if exists subscriptions_by_email;
