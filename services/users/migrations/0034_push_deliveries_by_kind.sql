-- Up Migration

-- Without a transaction: the table may be large.
create index concurrently if not exists push_deliveries_due_by_kind on push_deliveries (target, is_bulk, attempt_at);

-- Down Migration

drop index concurrently if exists push_deliveries_due_by_kind;
