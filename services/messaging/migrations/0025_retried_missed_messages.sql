-- Up Migration

-- Batches that failed are tried again beside all others.
-- Without a transaction: users who are away for long have many open batches.
create index concurrently if not exists missed_message_batches_retried on missed_message_batches (attempt_at)
  where attempts > 0;

-- Down Migration

drop index concurrently if exists missed_message_batches_retried;
