-- Up Migration

-- The directory deactivated the account, so that it may reactivate it.
alter table directory_accounts add column is_deactivated boolean not null default false;

-- The latest comparison of an organization's accounts with its directory.
create table directory_syncs (
  realm_id integer not null,
  directory text not null,
  started_at timestamptz not null,
  -- While a replica works on it.
  claimed_until timestamptz,
  primary key (realm_id, directory)
);

-- Down Migration

drop table directory_syncs;
alter table directory_accounts drop column is_deactivated;
