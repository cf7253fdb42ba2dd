-- Up Migration

-- The entries of the event in the audit log, with who caused it, as JSON text; null if it has none. The release before leaves it
-- empty.
alter table outbox add column audit text;

-- What the stream of the audit log has yet to confirm. The relay puts it here when it numbers the event, so that the log waits
-- for no entry.
create table audit_outbox (
  id bigint generated always as identity primary key,
  -- The event without its payload, as JSON text.
  body text not null,
  created_at timestamptz not null default clock_timestamp()
) with (
  -- Rows live for milliseconds, as in `outbox`.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000
);

-- Down Migration

drop table audit_outbox;
alter table outbox drop column audit;
