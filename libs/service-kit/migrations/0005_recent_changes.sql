-- Up Migration

-- What of this service's data has changed of late that other services cache or project. Triggers write it, so that no
-- statement can leave it out. A change is announced to every replica that caches, and only then published and answered.
create table recent_changes (
  id bigint generated always as identity primary key,
  -- The transaction's ID: everything below the oldest running transaction of a snapshot is known to be in it.
  changed_in bigint not null default (pg_current_xact_id()::text::bigint),
  kind text not null,
  subject_id bigint not null,
  changed_at timestamptz not null default now(),
  is_announced boolean not null default false
);
create index recent_changes_pending on recent_changes (id) where not is_announced;
create index recent_changes_in on recent_changes (changed_in);
create index recent_changes_age on recent_changes (changed_at) where is_announced;

-- Whether triggers are to note changes: an import has them leave that out.
create function notes_recent_changes() returns boolean language sql stable as $$
  select coalesce(current_setting('tms.unannounced', true), '') <> 'on'
$$;

-- One row: the newest transaction whose changes were deleted from the table above. Who asks for changes since an older one
-- has to load everything.
create table recent_changes_horizon (
  is_only boolean primary key default true check (is_only),
  changed_in bigint not null default 0
);
insert into recent_changes_horizon default values;

-- Up to where this service's projections follow the changes of another service: all that was committed there before the cursor,
-- and all that was announced up to the sequence number (of the epoch) is in them.
create table followed_sources (
  source text primary key,
  cursor text not null,
  epoch text not null,
  seq bigint not null
);

-- Down Migration
drop table followed_sources;
drop table recent_changes_horizon;
drop function notes_recent_changes();
drop table recent_changes;
