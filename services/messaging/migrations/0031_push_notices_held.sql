-- Up Migration

-- What waits for the end of a user's quiet hours, which is leased together.
-- Without a transaction: the table is written to meanwhile.
create index concurrently if not exists push_notices_held on push_notices (user_id, attempt_at)
  where held_until is not null;

-- Down Migration

drop index concurrently if exists push_notices_held;
