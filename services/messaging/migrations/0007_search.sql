-- Up Migration

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- What narrows ask of a message's text follows from the text alone, so the database derives it, however a
-- message is stored or edited. Texts are escaped, so these tags stand in the HTML only where they were rendered.
alter table messages
  -- Without what looks like a tag, in which no words would be found.
  add column search tsvector not null
    generated always as (to_tsvector('english', translate(topic || ' ' || content, '<>', '  '))) stored,
  add column has_link boolean not null
    generated always as (strpos(rendered_content, '<a href="') > 0) stored,
  add column has_image boolean not null generated always as (
    strpos(rendered_content, '<a href="') > 0
    and rendered_content ~* '<a href="[^"]*[.](bmp|gif|jpe|jpeg|jpg|png|webp)"') stored,
  add column has_attachment boolean not null generated always as (
    strpos(rendered_content, '<a href="') > 0
    and rendered_content ~ '<a href="[^"]*/user_uploads/') stored;
-- How often a word occurs decides how it is looked for.
alter table messages alter column search set statistics 1000;

-- A send only appends to the list of what is pending; the search keeper empties it long before its limit, at
-- which a send would have to.
create index messages_search on messages using gin (recipient_id, search)
  with (fastupdate = on, gin_pending_list_limit = 65536);
create index messages_literal on messages using gin ((topic || E'\n' || content) gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 65536);

create index messages_with_link on messages (recipient_id, id) where has_link;
create index messages_with_image on messages (recipient_id, id) where has_image;
create index messages_with_attachment on messages (recipient_id, id) where has_attachment;
create index messages_resolved on messages (recipient_id, id) where starts_with(topic, '✔ ');

create index message_flags_alerted on message_flags (user_id, message_id) where has_alert_word;

-- Topics that a user wants to see though their channel is muted, and those that they follow.
create index user_topics_shown on user_topics (user_id, channel_id, topic_key) where visibility_policy in (2, 3);

-- Down Migration
drop index user_topics_shown;
alter table messages
  drop column has_attachment,
  drop column has_image,
  drop column has_link,
  drop column search;
drop index message_flags_alerted, messages_resolved, messages_literal;
