-- Up Migration

-- Raised by every change that may take from somebody what they could do in a channel. A message is checked before it waits
-- for the channel's lock; with the lock it is stored only if this is still what it was then.
alter table recipients add column revision bigint not null default 0;

-- Down Migration
alter table recipients drop column revision;
