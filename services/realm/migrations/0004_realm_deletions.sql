-- Up Migration

-- Deactivated organizations that will be deleted, and those that are being deleted: the row goes with the organization.
create table realm_deletions (
  realm_id integer primary key references realms (id),
  delete_at timestamptz not null,
  -- From then on the organization can't be reactivated.
  begun_at timestamptz,
  -- Until then one replica works on it, unless it extends the lease.
  leased_until timestamptz,
  -- Grows with every replica that takes the deletion over: a replica that lost it stops.
  attempt integer not null default 0,
  -- Rows and files that are deleted, by all services.
  deleted bigint not null default 0
);

-- Down Migration

drop table realm_deletions;
