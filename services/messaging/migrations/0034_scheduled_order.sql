-- Up Migration

-- The topic where case doesn't count: messages of one topic are delivered one after another. Null in rows of releases
-- before this one, of which the topic itself is taken.
alter table scheduled_messages add column topic_key text;
-- It could not be sent for a while, so that later messages of its topic or conversation no longer wait for it.
alter table scheduled_messages add column may_be_passed boolean not null default false;

-- Down Migration
alter table scheduled_messages drop column may_be_passed;
alter table scheduled_messages drop column topic_key;
