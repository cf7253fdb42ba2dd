-- Up Migration

-- Safe while the release before runs: the index by kind does for its queries.
drop index push_deliveries_due;

-- Down Migration

create index push_deliveries_due on push_deliveries (target, attempt_at);
