-- Up Migration

drop index push_deliveries_due;

-- Down Migration

create index push_deliveries_due on push_deliveries (target, attempt_at);
