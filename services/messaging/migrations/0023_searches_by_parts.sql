-- Up Migration

-- Searches look at messages block by block from the page's end on, so that a page costs the same however many match in
-- all. An array, because an index looks for any of several numbers in one go then.
create function blocks_of(message_id bigint) returns bigint[]
  language sql immutable parallel safe
  return array[message_id / 4096];

-- What narrows ask of a message beside its text and that few messages have.
create function message_marks(topic text, has_link boolean, has_image boolean, has_attachment boolean) returns text[]
  language sql immutable parallel safe
  return array_remove(array[
    case when has_link then 'link' end,
    case when has_image then 'image' end,
    case when has_attachment then 'attachment' end,
    case when starts_with(topic, '✔ ') then 'resolved' end], null);

alter table message_texts
  add column sender_id bigint,
  add column marks text[];
update message_texts t
   set sender_id = m.sender_id,
       marks = message_marks(m.topic, m.has_link, m.has_image, m.has_attachment)
  from messages m
 where m.id = t.message_id;
alter table message_texts
  alter column sender_id set not null,
  alter column marks set not null;

-- One index for words, for parts as they stand and for what is asked for beside them: each search uses the columns
-- that it says something about.
drop index message_texts_words, message_texts_parts;
create index message_texts_found on message_texts
  using gin (recipient_id, sender_id, blocks_of(message_id), marks, search, text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 65536);

create or replace function follow_messages() returns trigger language plpgsql as $$
begin
  update message_texts t
     set recipient_id = after.recipient_id,
         text = message_text(after.topic, after.content),
         marks = message_marks(after.topic, after.has_link, after.has_image, after.has_attachment)
    from before
    join after
      on after.id = before.id
   where t.message_id = after.id
     and (before.recipient_id, before.topic, before.content, before.has_link, before.has_image, before.has_attachment)
         is distinct from
         (after.recipient_id, after.topic, after.content, after.has_link, after.has_image, after.has_attachment);
  return null;
end
$$;

-- Down Migration
create or replace function follow_messages() returns trigger language plpgsql as $$
begin
  update message_texts t
     set recipient_id = after.recipient_id,
         text = message_text(after.topic, after.content)
    from before
    join after
      on after.id = before.id
   where t.message_id = after.id
     and (before.recipient_id, before.topic, before.content)
         is distinct from (after.recipient_id, after.topic, after.content);
  return null;
end
$$;
drop index message_texts_found;
alter table message_texts drop column sender_id, drop column marks;
create index message_texts_words on message_texts using gin (recipient_id, search)
  with (fastupdate = on, gin_pending_list_limit = 65536);
create index message_texts_parts on message_texts using gin (text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 65536);
drop function message_marks(text, boolean, boolean, boolean);
drop function blocks_of(bigint);
