-- Up Migration

-- What goes first, without what waits for the end of quiet hours: that isn't read through.
-- Without a transaction: the table may be large.
create index concurrently if not exists push_notices_urgent_in_order on push_notices (attempt_at)
  where held_until is null and (trigger is null or trigger in ('direct_message', 'mentioned'));

-- Down Migration

drop index concurrently if exists push_notices_urgent_in_order;
