-- Up Migration

-- What searches look at stands beside the messages: a send writes nothing of it, the search keeper does, soon after
-- and for many messages at once.

-- The text of a message as searches see it.
create function message_text(topic text, content text) returns text
  language sql immutable parallel safe
  return topic || E'\n' || content;

-- A run of letters of scripts that put no spaces between words (Thai, Lao, Burmese, Khmer, Japanese, Chinese) or
-- none before what belongs to a word (Korean). Messaging reads what is searched for by the same letters.
create function unspaced_run() returns text
  language sql immutable parallel safe
  return '[\u0E00-\u0EFF\u1000-\u109F\u1100-\u11FF\u1780-\u17FF\u3005-\u3007\u3040-\u30FA\u30FC-\u30FF\u3130-\u318F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+';

-- Every two neighbouring letters of such runs, and the last one of each.
create function unspaced_pairs(text text) returns tsvector
  language sql immutable parallel safe
  return (select coalesce(array_to_tsvector(array_agg(distinct pair)), '')
            from (select letter || lead(letter, 1, '') over (partition by run order by place) as pair
                    from regexp_matches(text, unspaced_run(), 'g') with ordinality found (letters, run)
                   cross join unnest(string_to_array(letters[1], null)) with ordinality each (letter, place)) pairs);

-- The stems of a text's words, without what looks like a tag, in which no words would be found; and those pairs.
create function search_vector(text text) returns tsvector
  language sql immutable parallel safe
  return case
    when text ~ unspaced_run()
    then to_tsvector('english', translate(regexp_replace(text, unspaced_run(), ' ', 'g'), '<>', '  '))
         || unspaced_pairs(text)
    else to_tsvector('english', translate(text, '<>', '  '))
  end;

create table message_texts (
  message_id bigint primary key references messages on delete cascade,
  recipient_id bigint not null,
  text text not null,
  search tsvector not null generated always as (search_vector(text)) stored
);
-- How often a word or a part occurs decides how it is looked for.
alter table message_texts alter column search set statistics 1000;
alter table message_texts alter column text set statistics 1000;

-- The keeper only appends to the list of what is pending, and takes in much of it at once, long before its limit.
create index message_texts_words on message_texts using gin (recipient_id, search)
  with (fastupdate = on, gin_pending_list_limit = 65536);
create index message_texts_parts on message_texts using gin (text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 65536);

-- Every message with an ID up to `up_to` has its text here, or will never exist. Messages with higher IDs may have
-- theirs. Whoever keeps the texts locks the row; nobody need look again before `due_at`.
create table search_progress (
  up_to bigint not null,
  due_at timestamptz not null
);
insert into search_progress values (0, now());

-- However messages are changed, their texts follow. Those that have none yet are left to the keeper, who takes no
-- message that is being changed, and whom a change waits for: either sees what the other did. Once for all messages
-- of a statement: a move of a thousand would take half as long again if it were done for each.
create function follow_messages() returns trigger language plpgsql as $$
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
create trigger message_texts_follow
  after update on messages
  referencing old table as before new table as after
  for each statement
  execute function follow_messages();

-- With the column goes its index of words.
drop index messages_literal;
alter table messages drop column search;

-- Down Migration
alter table messages
  add column search tsvector not null
    generated always as (to_tsvector('english', translate(topic || ' ' || content, '<>', '  '))) stored;
alter table messages alter column search set statistics 1000;
create index messages_search on messages using gin (recipient_id, search)
  with (fastupdate = on, gin_pending_list_limit = 65536);
create index messages_literal on messages using gin ((topic || E'\n' || content) gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 65536);
drop trigger message_texts_follow on messages;
drop function follow_messages();
drop table search_progress, message_texts;
drop function search_vector(text), unspaced_pairs(text), unspaced_run(), message_text(text, text);
