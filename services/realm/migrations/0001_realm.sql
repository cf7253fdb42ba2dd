-- Organizations and what belongs to them. Every change of an organization or of what it has locks the organization's
-- row, and increases its version.

-- Organizations ------------------------------------------------------------------------------------------------------

create table realms (
  id integer generated always as identity primary key,
  -- The subdomain; empty for the installation's default organization.
  string_id text not null unique,
  name text not null,
  description text not null default '',
  url text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- When the import of the organization began; null if it wasn't imported or its import is finished. Until then it
  -- exists for the import alone.
  import_begun_at timestamptz,

  -- Names of files in the store; null for the default picture.
  icon_file text,
  logo_file text,
  night_logo_file text,

  mandatory_topics boolean not null default false,
  waiting_period_threshold integer not null default 0,
  -- Who has which permission: group-setting values that differ from the defaults, by setting.
  permissions jsonb not null default '{}',
  -- Only settings that differ from their defaults (src/realms/realm-settings.ts).
  settings jsonb not null default '{}',

  -- Grows with every change; see realmProjection in the contracts.
  version integer not null default 1
);

-- Other services cache and project organizations. Every change of one increases its version, so this row is updated.
create function note_recent_realm() returns trigger language plpgsql as $$
begin
  if not notes_recent_changes() then
    return null;
  end if;
  insert into recent_changes (kind, subject_id) values ('realm', new.id);
  return null;
end $$;
create trigger recent_realm after insert or update on realms
  for each row execute function note_recent_realm();

-- What belongs to an organization ------------------------------------------------------------------------------------
--
-- The lock of the organization's row keeps patterns, names and domains unique. Unique indexes can't: the longest
-- patterns don't fit into an index, and names of deactivated emoji may be used again, which Prisma can't express.

-- Linkifiers apply in the order of `position`.
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
  -- In the organization's folder of the store.
  file_name text not null,
  is_animated boolean not null,
  author_id integer not null,
  is_deactivated boolean not null default false
);
create index custom_emoji_realm_id_idx on custom_emoji (realm_id);

-- Unique by name.
create table profile_fields (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  type smallint not null,
  name text not null,
  hint text not null,
  -- JSON text as clients get it; empty for types that have none.
  field_data text not null,
  is_in_summary boolean not null,
  is_required boolean not null,
  position integer not null
);
create index profile_fields_realm_id_position_idx on profile_fields (realm_id, position);

-- Unique by language and name; listed in the order in which they were added.
create table code_playgrounds (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  name text not null,
  language text not null,
  url_template text not null
);
create index code_playgrounds_realm_id_idx on code_playgrounds (realm_id);

-- Unique by domain; listed in the order in which they were added.
create table email_domains (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  -- In lower case.
  domain text not null,
  allows_subdomains boolean not null
);
create index email_domains_realm_id_idx on email_domains (realm_id);

-- Exports ------------------------------------------------------------------------------------------------------------

-- Archives of organizations, finished or not. Rows are deleted only with the organization: they record
-- who exported what.
create table realm_exports (
  id integer generated always as identity primary key,
  realm_id integer not null references realms (id),
  acting_user_id integer not null,
  -- `public`, `consent` or `full`.
  scope text not null,
  created_at timestamptz not null,
  -- At most one of these two is set; none while the export is pending.
  finished_at timestamptz,
  failed_at timestamptz,
  deleted_at timestamptz,
  -- In the store of files, below `exports/`.
  file text,
  -- Records and files that are written, and about how many there will be.
  done integer not null default 0,
  total integer not null default 0,
  -- Until then one replica works on it, unless it extends the lease.
  leased_until timestamptz,
  -- Grows with every replica that takes the export over: a replica that lost it can't write any more.
  attempt integer not null default 0
);
create index realm_exports_realm_id_idx on realm_exports (realm_id, id);
create index realm_exports_pending_idx on realm_exports (id) where finished_at is null and failed_at is null;
