-- Up Migration

-- How many channels somebody has created lately, archived ones included.
-- Without a transaction: the table may be large.
create index concurrently if not exists channels_of_creator on channels (creator_id, created_at);

-- Down Migration

drop index concurrently if exists channels_of_creator;
