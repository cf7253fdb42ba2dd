-- Up Migration

-- The others, which are found beside any number of urgent ones.
-- Without a transaction: the table may be large.
create index concurrently if not exists push_notices_others on push_notices (attempt_at)
  where held_until is null and trigger not in ('direct_message', 'mentioned');

-- Down Migration

drop index concurrently if exists push_notices_others;
