-- Up Migration

-- The channels and conversations of an organization, for its deletion.
-- Without a transaction: large installations have millions of conversations.
create index concurrently if not exists recipients_of_realm on recipients (realm_id, id);

-- Down Migration

drop index concurrently if exists recipients_of_realm;
