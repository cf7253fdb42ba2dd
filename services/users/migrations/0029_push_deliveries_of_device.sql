-- Up Migration

-- The index in order does for both.
drop index push_deliveries_of_device;

-- Down Migration

create index push_deliveries_of_device on push_deliveries (device_id);
