-- Up Migration

-- All changes of what an organization has lock its row. That also keeps patterns and names unique within one: an index
-- could not hold the longest patterns, nor could it pass over deactivated emoji and be told to Prisma.

-- Their order is the order in which they apply.
create table linkifiers (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  pattern text not null,
  url_template text not null,
  position integer not null
);
create index linkifiers_realm_id_position_idx on linkifiers (realm_id, position);

-- Rows stay when an emoji is deactivated: messages and reactions still show it.
create table custom_emoji (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  name text not null,
  -- Within the organization's folder of the store.
  file_name text not null,
  is_animated boolean not null,
  author_id integer not null,
  is_deactivated boolean not null default false
);
create index custom_emoji_realm_id_idx on custom_emoji (realm_id);

-- Down Migration
drop table custom_emoji;
drop table linkifiers;
