-- Up Migration

-- Without a transaction: the table may be large.
create index concurrently if not exists push_deliveries_due_by_time on push_deliveries (attempt_at);

-- Down Migration

drop index concurrently if exists push_deliveries_due_by_time;
