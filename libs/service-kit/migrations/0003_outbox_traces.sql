-- Up Migration

-- The trace that the event is part of (W3C Trace Context), where its request is recorded.
alter table outbox add column traceparent text;

-- Down Migration
alter table outbox drop column traceparent;
