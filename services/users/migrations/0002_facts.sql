-- Up Migration

-- Facts of organizations are told as one document, so they are kept as one: a fact more is no column more.
drop table known_realms;
create table known_realms (
  realm_id integer primary key,
  string_id text not null,
  version integer not null,
  facts jsonb not null
);
create index known_realms_string_id on known_realms (string_id);

-- Each organization's own actor, which tells people what happened.
alter table accounts add column is_system_bot boolean not null default false;
create unique index accounts_system_bot on accounts (realm_id) where is_system_bot;

-- Down Migration
drop index accounts_system_bot;
alter table accounts drop column is_system_bot;
drop table known_realms;
create table known_realms (
  realm_id integer primary key,
  string_id text not null,
  name text not null,
  url text not null,
  is_active boolean not null,
  mandatory_topics boolean not null,
  waiting_period_threshold integer not null,
  create_public_stream_policy smallint not null,
  create_private_stream_policy smallint not null,
  create_web_public_stream_policy smallint not null,
  invite_to_stream_policy smallint not null,
  wildcard_mention_policy smallint not null,
  private_message_policy smallint not null,
  version integer not null
);
create index known_realms_string_id on known_realms (string_id);
