-- The tables that every service has in its database, beside its own.

-- Events -------------------------------------------------------------------------------------------------------------

-- Domain events, written in the transaction that makes the change. A relay gives each its sequence number (`seq`),
-- publishes it, and deletes it once the broker has confirmed it.
create table outbox (
  id bigint generated always as identity primary key,
  seq bigint,
  -- The transaction: its event waits until its rows in `recent_changes` are announced.
  xid xid8 not null default pg_current_xact_id(),
  event text not null,
  realm_id bigint not null,
  request_id text,
  -- The trace that the event is part of (W3C Trace Context), if its request is recorded.
  traceparent text,
  payload text not null,
  -- Nearer to the commit than the beginning of the transaction. Consumers measure from here how long a delivery takes, and
  -- the age of the oldest row shows whether events are published in time.
  created_at timestamptz not null default clock_timestamp()
) with (
  -- Rows live for milliseconds. Unless dead rows are removed at once, every claim reads past them.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
create index outbox_unclaimed on outbox (id) where seq is null;
create unique index outbox_claimed on outbox (seq) where seq is not null;

-- One row: the lease of the relay and the next sequence number. Only the replica that locks the row and has the current
-- `token` may claim. `stream` names this run of numbers. It needs a new value after the database was restored from a
-- backup, because the numbers that follow the backup have been used.
create table outbox_relay (
  is_only boolean primary key default true check (is_only),
  stream uuid not null default gen_random_uuid(),
  next_seq bigint not null default 1,
  token bigint not null default 0,
  leased_until timestamptz not null default '-infinity'
);
insert into outbox_relay default values;

-- Projections of other services' data --------------------------------------------------------------------------------

-- The last sequence number that was applied from each producer's stream.
create table projection_position (
  stream text primary key,
  seq bigint not null
);

-- Up to where the projections follow the changes of another service. They contain everything committed there before
-- `cursor`, and everything announced up to `seq` of `epoch`.
create table followed_sources (
  source text primary key,
  cursor text not null,
  epoch text not null,
  seq bigint not null
);

-- At most one row: the replay that an operator requested last, which compares the projections with their owners. A new
-- request replaces the old one and gets another `id`. The replica with the lease works on it; if that dies, another
-- continues from `progress`.
create table projection_replay (
  is_only boolean primary key default true check (is_only),
  id uuid not null,
  -- The last entry of the stream at the time of the request. The replay begins once this is applied.
  end_offset bigint not null,
  -- {"next": offset} while it follows the log, {"kind", "after"} while it compares everything.
  progress jsonb not null,
  checked bigint not null default 0,
  repaired bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  leased_until timestamptz not null default '-infinity'
);

-- Changes that other services cache or project -----------------------------------------------------------------------

-- Recent changes of this service's data. Triggers write them, so that no statement can leave one out. A change is
-- announced to every replica with a cache before its event is published and its request answered.
create table recent_changes (
  id bigint generated always as identity primary key,
  -- The transaction's ID. A snapshot contains every transaction below the oldest one that was running.
  changed_in bigint not null default (pg_current_xact_id()::text::bigint),
  kind text not null,
  subject_id bigint not null,
  changed_at timestamptz not null default now(),
  is_announced boolean not null default false
);
create index recent_changes_pending on recent_changes (id) where not is_announced;
create index recent_changes_in on recent_changes (changed_in);
create index recent_changes_age on recent_changes (changed_at) where is_announced;

-- Whether triggers write recent changes. An import turns that off for its transactions.
create function notes_recent_changes() returns boolean language sql stable as $$
  select coalesce(current_setting('tms.unannounced', true), '') <> 'on'
$$;

-- One row: the newest transaction whose changes were deleted from `recent_changes`. A caller that requests changes
-- since an older one has to load everything.
create table recent_changes_horizon (
  is_only boolean primary key default true check (is_only),
  changed_in bigint not null default 0
);
insert into recent_changes_horizon default values;
