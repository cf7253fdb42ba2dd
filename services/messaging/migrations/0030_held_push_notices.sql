-- Up Migration

-- Until when a notice waits because its user wants quiet. At the end one notice stands for all of them.
alter table push_notices add column held_until timestamptz;
-- The same for what waits to be mailed.
alter table missed_message_batches add column held_until timestamptz;

-- Down Migration

alter table missed_message_batches drop column held_until;
alter table push_notices drop column held_until;
