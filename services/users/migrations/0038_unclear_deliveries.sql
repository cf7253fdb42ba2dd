-- Up Migration

-- Attempts that ended without an answer: the service may have taken the notice, so they aren't repeated for a day.
alter table push_deliveries add column unclear_failures integer not null default 0;

-- Down Migration

alter table push_deliveries drop column unclear_failures;
