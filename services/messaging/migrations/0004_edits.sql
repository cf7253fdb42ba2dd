-- Up Migration

-- Edits and moves, newest first, as the API shows them; null for a message that never changed.
alter table messages add column edit_history jsonb;

-- A move of messages may bring some of them to a channel that their holder never subscribed to. The row that
-- says so is no subscription that once was.
alter table subscriptions add column was_subscribed boolean not null default true;

-- Whoever changes or deletes a message changes what users have noted of it.
create index message_flags_of_message on message_flags (message_id);

-- Down Migration
drop index message_flags_of_message;
delete from subscriptions where not was_subscribed;
alter table subscriptions drop column was_subscribed;
alter table messages drop column edit_history;
