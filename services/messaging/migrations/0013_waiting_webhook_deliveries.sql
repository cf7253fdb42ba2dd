-- Up Migration

-- The sender's own ID of a delivery, so that one that waits is posted once like any other.
alter table webhook_deliveries add column delivery_id text;

-- Of each bot: deliveries that came faster than it may post. They are rows of webhook_deliveries with the outcome 'waiting'.
create table webhook_backlogs (
  bot_id bigint primary key,
  realm_id bigint not null,
  -- Milliseconds from one to the next.
  interval_ms integer not null,
  -- When the next may be posted, and until when a replica leases it; null while none waits.
  post_at timestamptz,
  begun_at timestamptz not null,
  -- How many have come since.
  arrived bigint not null,
  waiting_count integer not null,
  waiting_bytes bigint not null,
  -- Attempts at the first one that failed.
  failures smallint not null default 0,
  notified_at timestamptz
);
create index due_webhook_backlogs on webhook_backlogs (post_at) where post_at is not null;
create index webhook_backlogs_of_realm on webhook_backlogs (realm_id);

-- Down Migration

drop table webhook_backlogs;
alter table webhook_deliveries drop column delivery_id;
