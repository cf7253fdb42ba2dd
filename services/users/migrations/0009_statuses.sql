-- Up Migration

-- What people say of themselves, told as a whole; empty for most.
alter table accounts add column status jsonb not null default '{}';
-- Register reads those of a whole organization who have one, or don't show presence.
create index accounts_with_status on accounts (realm_id)
  where status <> '{}' or settings ->> 'presence_enabled' = 'false';

-- Down Migration
drop index accounts_with_status;
alter table accounts drop column status;
