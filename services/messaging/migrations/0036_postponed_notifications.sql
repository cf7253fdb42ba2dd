-- Up Migration

-- Users who were active when a message came of which they are to be notified if they are away: they may just have left. Decided at
-- `decide_at`, when they have been away for long enough if they weren't active since.
create table postponed_notifications (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  -- Why they are to be notified by mail, and on their devices; null if not so.
  mail_trigger text,
  push_trigger text,
  postponed_at timestamptz not null default now(),
  decide_at timestamptz not null
);
create index postponed_notifications_due on postponed_notifications (decide_at);
create index postponed_notifications_of_realm on postponed_notifications (realm_id);

-- Down Migration

drop table postponed_notifications;
