-- Up Migration

-- Without a transaction: channels are read by every send, and written to meanwhile.
create index concurrently if not exists channels_web_public on channels (realm_id)
  where is_web_public and not is_archived;

-- Down Migration
drop index channels_web_public;
