-- Up Migration

-- What arrived at the addresses of integrations; of each bot the last hundred.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  bot_id bigint not null,
  integration text not null,
  received_at timestamptz not null,
  -- Of the address, without its key and its secret.
  parameters jsonb not null,
  headers jsonb not null,
  -- Bytes of the body, as many as are kept.
  payload bytea not null,
  is_complete boolean not null,
  outcome text not null,
  status smallint not null,
  error text,
  message_ids bigint[] not null
);
create index webhook_deliveries_of_bot on webhook_deliveries (bot_id, id);
create index webhook_deliveries_of_realm on webhook_deliveries (realm_id);

-- When the owner of a bot was last notified of a failure.
create table webhook_failure_notices (
  bot_id bigint primary key,
  realm_id bigint not null,
  notified_at timestamptz not null
);

-- Down Migration

drop table webhook_failure_notices;
drop table webhook_deliveries;
