-- Up Migration

-- Outgoing webhooks that are to be called because of a message: written in its transaction, gone with the end of the call.
create table webhook_calls (
  -- The webhook gets it too, and knows by it a call that it has had already.
  id uuid primary key default gen_random_uuid(),
  realm_id bigint not null,
  bot_id bigint not null,
  message_id bigint not null,
  -- How often it was called without an answer.
  failures smallint not null default 0,
  -- When it is called next: at once, or later while a replica has the call, or after a failure.
  attempt_at timestamptz not null default now()
);
create index webhook_calls_of_bot on webhook_calls (bot_id, attempt_at, id);

-- Down Migration
drop table webhook_calls;
