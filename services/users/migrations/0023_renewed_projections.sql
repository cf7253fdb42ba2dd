-- Up Migration

-- Messaging got accounts without these settings, and took them for the defaults, which aren't stored here. A higher
-- version has the others fetched again.
-- Safe while the release before runs: it raises versions itself, and few have chosen these settings.
update accounts
   set version = version + 1
 where settings ?| array[
         'enable_stream_email_notifications', 'enable_offline_email_notifications', 'wildcard_mentions_notify',
         'enable_followed_topic_email_notifications', 'enable_followed_topic_wildcard_mentions_notify',
         'email_notifications_batching_period_seconds'];

-- Down Migration

-- Versions only grow.
