-- Up Migration

-- The private channels of an organization, for changes of what groups see.
-- Without a transaction: the table may be large.
create index concurrently if not exists private_channels_of_realm on channels (realm_id, id) where invite_only;

-- Down Migration

drop index concurrently if exists private_channels_of_realm;
