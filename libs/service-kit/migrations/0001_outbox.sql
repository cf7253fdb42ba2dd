-- Up Migration

-- Domain events of this service, written in the transaction that changes the state. A relay gives each its
-- place in the stream (`seq`), publishes it, and deletes it once the broker has confirmed it.
create table outbox (
  id bigint generated always as identity primary key,
  seq bigint,
  xid xid8 not null default pg_current_xact_id(),
  event text not null,
  realm_id bigint not null,
  request_id text,
  payload text not null
);
-- Rows live for milliseconds: unless their remains are cleared at once, claims wade through them.
alter table outbox set (
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index outbox_unclaimed on outbox (id) where seq is null;
create unique index outbox_claimed on outbox (seq) where seq is not null;

-- One row: who relays, until when, and which place in the stream comes next. Whoever holds the row's lock
-- with the present token may claim. `stream` names this run of places; give it a new value after restoring
-- the database from a backup, since the places after the backup have been used.
create table outbox_relay (
  is_only boolean primary key default true check (is_only),
  stream uuid not null default gen_random_uuid(),
  next_seq bigint not null default 1,
  token bigint not null default 0,
  leased_until timestamptz not null default '-infinity'
);
insert into outbox_relay default values;

-- How far a projection has read each producer's stream.
create table projection_position (
  stream text primary key,
  seq bigint not null
);

-- Down Migration
drop table projection_position;
drop table outbox_relay;
drop table outbox;
