-- Up Migration

-- How outgoing webhooks were called; of each bot the last hundred attempts.
create table webhook_attempts (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  bot_id bigint not null,
  webhook_call_id uuid not null,
  message_id bigint not null,
  called_at timestamptz not null,
  duration_ms integer not null,
  url text not null,
  outcome text not null,
  -- Null without an answer.
  status smallint,
  error text,
  -- The beginning of an answer that could not be used. Others are in the reply, with the access rules of messages.
  answer text,
  reply_id bigint
);
create index webhook_attempts_of_bot on webhook_attempts (bot_id, id);
create index webhook_attempts_of_realm on webhook_attempts (realm_id);

-- Down Migration

drop table webhook_attempts;
