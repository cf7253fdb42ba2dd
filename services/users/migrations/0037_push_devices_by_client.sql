-- Up Migration

-- One token for each client.
-- Without a transaction: the table may be large.
create unique index concurrently if not exists push_devices_of_client on push_devices (client_device_id);

-- Down Migration

drop index concurrently if exists push_devices_of_client;
