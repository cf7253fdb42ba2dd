-- Up Migration

-- Counts the changes by which users joined the channel. A message that matters more to some subscribers is checked before its
-- sender waits for the lock, with the subscribers of that time; under the lock it is stored only if nobody has joined since.
-- Who leaves increments `version`.
alter table recipients add column joins bigint not null default 0;

-- Down Migration

alter table recipients drop column joins;
