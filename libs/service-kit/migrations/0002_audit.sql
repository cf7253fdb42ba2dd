-- Up Migration

-- The entries of the event in the audit log, with who caused it, as JSON text; null if it has none. The release before leaves it
-- empty.
alter table outbox add column audit text;

-- Down Migration

alter table outbox drop column audit;
