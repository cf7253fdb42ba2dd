-- Up Migration

-- What bots store for themselves. Values go up to what a request can bring, a megabyte; the sum over a bot reads the index alone.
create table bot_storage (
  user_id integer not null references accounts on delete cascade,
  key text collate "C" not null,
  value text not null,
  characters integer not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (user_id, key) include (characters)
);

-- How bots are configured by those who manage them: texts by key.
alter table bots add column config_data jsonb not null default '{}';

-- Down Migration
alter table bots drop column config_data;
drop table bot_storage;
