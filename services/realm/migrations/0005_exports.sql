-- Up Migration

-- Since when an organization is being imported; null for one that is open, or was before it was deactivated. For everyone
-- but the import there is none before.
alter table realms add column import_begun_at timestamptz;

-- Archives of organizations, finished or not. Rows stay: what was exported, and by whom, is told ever after.
create table realm_exports (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  acting_user_id integer not null,
  -- `public` or `full`.
  scope text not null,
  created_at timestamptz not null,
  -- At most one of the first two is set; none while it is pending.
  finished_at timestamptz,
  failed_at timestamptz,
  deleted_at timestamptz,
  -- In the store of files, below `exports/`.
  file text,
  -- Records and files that are done, and about how many there will be.
  done integer not null default 0,
  total integer not null default 0,
  -- A replica works on it until then, unless it says so again.
  leased_until timestamptz,
  -- Grows with every replica that takes it on: who has lost it can write no more.
  attempt integer not null default 0
);
create index realm_exports_realm_id_idx on realm_exports (realm_id, id);
create index realm_exports_pending_idx on realm_exports (id) where finished_at is null and failed_at is null;

-- Down Migration
drop table realm_exports;
alter table realms drop column import_begun_at;
