-- Up Migration

-- What waits for a device, in its order: whether anything is earlier is asked of each that is due.
-- Without a transaction: the table may be large.
create index concurrently if not exists push_deliveries_of_device_in_order on push_deliveries (device_id, id);

-- Down Migration

drop index concurrently if exists push_deliveries_of_device_in_order;
