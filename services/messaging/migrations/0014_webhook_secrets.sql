-- Up Migration

-- With what the calls of outgoing webhooks are signed; made when first needed, and anew for another owner.
create table webhook_secrets (
  bot_id bigint primary key,
  realm_id bigint not null,
  owner_id bigint,
  secret bytea not null
);
create index webhook_secrets_of_realm on webhook_secrets (realm_id);

-- Down Migration

drop table webhook_secrets;
