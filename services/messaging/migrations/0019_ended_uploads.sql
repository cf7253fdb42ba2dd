-- Up Migration

-- What the request that ended an upload in parts got: clients that missed it ask for it again. Null for one that goes on.
alter table resumable_uploads add column answer jsonb;

-- Down Migration

alter table resumable_uploads drop column answer;
