-- Up Migration

-- Until when a group that is being deactivated can't become a permission; null if nobody deactivates it.
alter table user_groups add column reserved_until timestamptz;

-- Down Migration

alter table user_groups drop column reserved_until;
