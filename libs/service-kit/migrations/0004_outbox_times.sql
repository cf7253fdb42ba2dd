-- Up Migration

-- When the event's transaction began: how long the oldest waits says whether others are told in time.
alter table outbox add column created_at timestamptz not null default now();

-- Down Migration
alter table outbox drop column created_at;
