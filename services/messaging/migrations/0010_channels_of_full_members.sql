-- Up Migration

-- What a loop looks for every two seconds.
-- Without a transaction: the table may be large.
create index concurrently if not exists channels_of_full_members on channels (id) where admits_full_members;

-- Down Migration

drop index concurrently if exists channels_of_full_members;
