-- Up Migration

-- When the message last got another topic or channel; marking its topic as resolved doesn't count.
alter table messages add column last_moved_at timestamptz;

-- Down Migration

alter table messages drop column last_moved_at;
