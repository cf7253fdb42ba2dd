-- Up Migration

-- Each register reads those of its organization.
-- Without a transaction: the table may be large.
create index concurrently if not exists waiting_members_of_realm on waiting_members (realm_id);

-- Down Migration

drop index concurrently if exists waiting_members_of_realm;
