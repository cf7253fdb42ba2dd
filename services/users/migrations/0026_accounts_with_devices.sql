-- Up Migration

-- Messaging got accounts without these settings, and without whether they have devices. A higher version has the others
-- fetched again.
-- Safe while the release before runs: it raises versions itself, and few have devices or have chosen these settings.
update accounts
   set version = version + 1,
       has_push_devices = exists (select from push_devices d where d.account_id = accounts.id)
 where exists (select from push_devices d where d.account_id = accounts.id)
    or settings ?| array[
         'enable_stream_push_notifications', 'enable_offline_push_notifications', 'enable_online_push_notifications',
         'enable_followed_topic_push_notifications'];

-- Down Migration

-- Versions only grow.
