-- Up Migration

-- Direct messages, mentions, and what disappears go before what goes to many at once.
-- Without a transaction: the table may be large.
create index concurrently if not exists push_notices_urgent on push_notices (attempt_at)
  where trigger is null or trigger in ('direct_message', 'mentioned');

-- Down Migration

drop index concurrently if exists push_notices_urgent;
