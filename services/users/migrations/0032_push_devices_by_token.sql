-- Up Migration

-- A browser that another person registers; its address may be longer than an entry of another kind of index can be.
-- Without a transaction: the table may be large.
create index concurrently if not exists push_devices_token on push_devices using hash (token);

-- Down Migration

drop index concurrently if exists push_devices_token;
