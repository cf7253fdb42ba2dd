-- Up Migration

-- What the files of an uploaded avatar are called, without their endings; by chance, so that nobody guesses it.
alter table accounts add column avatar_file text;

-- Addresses that wait to be confirmed, and those of the last day that don't any more: both count as requests.
create table email_changes (
  id bigint generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  new_email text not null,
  -- SHA-256 of the key in the link; who reads the table learns no key.
  key_hash bytea not null unique,
  requested_at timestamptz(3) not null,
  -- Until it is used, or a later one takes its place.
  is_open boolean not null default true
);
create index email_changes_account on email_changes (account_id, requested_at);

-- What settings new accounts of an organization begin with, where that differs from the server's defaults.
create table setting_defaults (
  realm_id integer primary key,
  settings jsonb not null default '{}'
);

-- Down Migration
drop table setting_defaults;
drop table email_changes;
alter table accounts drop column avatar_file;
