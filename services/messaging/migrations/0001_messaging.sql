-- Channels, direct conversations, messages and everything on them. The projections of users and organizations come first,
-- since the rest refers to their IDs.

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- Projections, updated by domain events and read through if a row is missing. `version` decides which data is
-- newer, in whatever order they arrive. The projection of a user or an organization is one document, so a further
-- field needs no column; beside it are the columns by which rows are found. Keys have their case folded by the
-- service, since the database folds differently.

create table known_users (
  user_id bigint primary key,
  realm_id bigint not null,
  email_key text not null,
  name_key text not null,
  version bigint not null,
  projection jsonb not null,

  -- Role (600: guest) and activity as last published. `projection` may be newer, because it is also read through.
  -- Both change in the transaction that publishes the consequences, so that events fit the state that register
  -- returned.
  published_role smallint not null,
  published_active boolean not null,
  -- Whether a new user got the first subscriptions and the welcome message, by the call of users or by the event.
  is_onboarded boolean not null default false,
  -- The owner of a bot before the current one, until the bot has lost what the current owner may not access.
  former_owner_id bigint,
  -- The transaction that last changed the alert words; null if there never were any. Every second, replicas load
  -- the rows that changed since their last load.
  alert_words_xid xid8
);
create index known_users_email on known_users (realm_id, email_key);
create index known_users_name on known_users (realm_id, name_key);
create index known_users_system_bot on known_users (realm_id) where projection -> 'is_system_bot' = 'true';
create index known_users_guests on known_users (realm_id, user_id) where published_role = 600;
create index known_users_inactive on known_users (user_id) where not published_active;
-- Few users have alert words, and few have muted users.
create index known_users_alert_words on known_users (realm_id) where projection -> 'alert_words' <> '[]';
create index known_users_changed_alert_words on known_users (realm_id, alert_words_xid)
  where alert_words_xid is not null;
create index known_users_muting on known_users using gin ((projection -> 'muted_user_ids') jsonb_path_ops)
  where projection -> 'muted_user_ids' <> '[]';

-- Triggers, because several statements store `projection`.
create function note_changed_alert_words() returns trigger language plpgsql as $$
begin
  new.alert_words_xid = pg_current_xact_id();
  return new;
end $$;
create trigger note_first_alert_words
  before insert on known_users
  for each row
  when (new.projection -> 'alert_words' <> '[]')
  execute function note_changed_alert_words();
create trigger note_changed_alert_words
  before update of projection on known_users
  for each row
  when (new.projection -> 'alert_words' is distinct from old.projection -> 'alert_words')
  execute function note_changed_alert_words();

create function note_former_owner() returns trigger language plpgsql as $$
begin
  new.former_owner_id := coalesce(new.former_owner_id, (old.projection ->> 'bot_owner_id')::bigint);
  return new;
end
$$;
create trigger note_former_owner
  before update of projection on known_users
  for each row
  when ((old.projection ->> 'bot_owner_id') <> (new.projection ->> 'bot_owner_id'))
  execute function note_former_owner();

-- Groups that users created. A deleted one keeps its row, so that an older event doesn't bring it back.
create table known_groups (
  group_id bigint primary key,
  realm_id bigint not null,
  name text not null,
  name_key text not null,
  member_ids bigint[] not null,
  subgroup_ids bigint[] not null,
  -- A group's ID, or {"direct_members", "direct_subgroups"}.
  can_mention_group jsonb not null,
  is_deleted boolean not null,
  version bigint not null
);
create index known_groups_name on known_groups (realm_id, name_key) where not is_deleted;

create table known_realms (
  realm_id bigint primary key,
  version bigint not null,
  projection jsonb not null,
  -- Whether guest visibility is restricted, as last published. It changes in the transaction that publishes which
  -- users each guest sees.
  published_limited boolean not null default false
);

-- Changes of guest visibility that wait to be sent to the users service. Those of one organization are written
-- under a lock that is held until the commit, so their IDs are in the order of their commits.
create table guest_visibility_changes (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  request_id text,
  change text not null
);

-- Organizations that are being imported, or whose import is not activated yet: only such imports may be undone.
create table pending_imports (
  realm_id bigint primary key
);

-- Channels and conversations -----------------------------------------------------------------------------------------

-- A channel or a direct conversation, within which messages have a total order. Senders lock the row, so IDs
-- within a recipient grow in the order of commits, and `last_message_id` is the predecessor of the next message.
create table recipients (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  last_message_id bigint not null default 0,
  first_message_id bigint,
  -- For optimistic locking: incremented by every change that may withdraw a permission in the channel. A message
  -- is checked before its sender waits for the lock; under the lock it is stored only if the version is still the
  -- same.
  version bigint not null default 0
);

create table channels (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  recipient_id bigint not null unique references recipients,
  name text not null,
  -- The name with its case folded by the service, by which it is unique and found.
  name_key text not null,
  description text not null,
  rendered_description text not null,
  created_at timestamptz not null default now(),
  creator_id bigint,
  invite_only boolean not null,
  is_web_public boolean not null,
  history_public_to_subscribers boolean not null,
  -- Null: the retention of the organization.
  message_retention_days integer,
  -- Who has which permission: group-setting values of all settings, by name.
  permissions jsonb not null,
  is_default boolean not null,
  is_archived boolean not null default false,
  -- Whether there was traffic lately, as last published; a job keeps it.
  is_recently_active boolean not null default true
);
create unique index channels_name on channels (realm_id, name_key) where not is_archived;
create index channels_web_public on channels (realm_id)
  where is_web_public and not is_archived;

-- Weekly messages by channel, as last counted. Channels without a row had none.
create table channel_traffic (
  channel_id bigint primary key references channels,
  weekly_messages integer not null
);

-- A channel as the API shows it, with columns for selecting channels. The time is floored, because a cast would
-- round it into the future.
create view channel_records as
  select channels.id as stream_id,
         channels.realm_id,
         channels.is_archived,
         channels.is_default,
         channels.name,
         channels.description,
         channels.rendered_description,
         floor(extract(epoch from channels.created_at))::bigint as date_created,
         channels.creator_id,
         recipients.first_message_id,
         channels.invite_only,
         channels.is_web_public,
         channels.history_public_to_subscribers,
         channels.permissions -> 'can_administer_channel_group' as can_administer_channel_group,
         channels.permissions -> 'can_send_message_group' as can_send_message_group,
         post_policy.stream_post_policy,
         channels.message_retention_days,
         channels.permissions -> 'can_remove_subscribers_group' as can_remove_subscribers_group,
         post_policy.stream_post_policy = 2 as is_announcement_only,
         case
           when channels.created_at <= now() - interval '7 days' then coalesce(channel_traffic.weekly_messages, 0)
         end as stream_weekly_traffic,
         channels.is_recently_active
    from channels
    join recipients on recipients.id = channels.recipient_id
    left join channel_traffic on channel_traffic.channel_id = channels.id
   -- The older form of can_send_message_group: 1 everyone, 2 administrators, 3 full members, 4 moderators.
   cross join lateral (
     select case channels.permissions -> 'can_send_message_group'
              when '2' then 2
              when '4' then 3
              when '3' then 4
              else 1
            end as stream_post_policy
   ) post_policy;

-- One row per user who ever subscribed: settings and received messages remain after unsubscribing.
--
-- `received` has the IDs that were sent while the user was subscribed; an open upper end means that the user still is.
-- `read` has the IDs that the user has read. Unread is received * (…, last_message_id] - read. A message's slot in
-- these ranges begins just after its predecessor: neighbouring slots merge, so a user who has read everything has one
-- range.
create table subscriptions (
  channel_id bigint not null references channels,
  user_id bigint not null,
  is_active boolean not null,
  -- Subscribed to an archived channel. Nothing is sent to it, so such a user is no subscriber (`is_active`) but where
  -- archived channels are shown.
  is_in_archive boolean not null default false,
  -- False if the user never subscribed, but has received messages of the channel: by a move, or as a bot by a
  -- mention.
  was_subscribed boolean not null default true,
  received int8multirange not null default '{}',
  read int8multirange not null default '{}',
  color text not null,
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (channel_id, user_id)
);
create index subscriptions_of_user on subscriptions (user_id, channel_id) where is_active;
create index subscriptions_ever on subscriptions (user_id);
-- Former subscribers still have the messages that they received.
create index subscriptions_left on subscriptions (channel_id) where not is_active;

-- A direct conversation: the sorted set of its users, the sender included. User IDs belong to one organization each, so
-- the list alone identifies it. By hash, because an entry of a B-tree holds at most about 330 user IDs, and a
-- conversation has no maximum.
create table conversations (
  recipient_id bigint primary key references recipients,
  realm_id bigint not null,
  user_ids bigint[] not null,
  constraint conversations_user_ids exclude using hash (user_ids with =)
);

create table conversation_members (
  user_id bigint not null,
  recipient_id bigint not null references conversations,
  read int8multirange not null default '{}',
  primary key (user_id, recipient_id)
);

-- Visibility policies of users for topics: 1 muted, 2 unmuted, 3 followed; no row means none. Topics compare by
-- `topic_key`, with its case folded by the service; `topic_name` has the spelling that the user used last.
create table user_topics (
  user_id bigint not null,
  channel_id bigint not null references channels,
  topic_key text collate "C" not null,
  topic_name text not null,
  visibility_policy smallint not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, channel_id, topic_key)
);
create index user_topics_of_topic on user_topics (channel_id, topic_key);
-- Topics that are shown even though their channel is muted.
create index user_topics_shown on user_topics (user_id, channel_id, topic_key) where visibility_policy in (2, 3);

-- Messages -----------------------------------------------------------------------------------------------------------

create sequence message_ids;

-- `recipient_id` and `channel_id` are no foreign keys: the statement that stores a message has locked the
-- recipient and read the channel, and neither is deleted but with its organization. Checking the keys would be an eighth
-- of its cost.
create table messages (
  id bigint primary key,
  realm_id bigint not null,
  recipient_id bigint not null,
  -- Null in a direct conversation.
  channel_id bigint,
  -- The message before it of the same recipient: the slot of the message is (previous_id, id].
  previous_id bigint not null,
  sender_id bigint not null,
  sent_at timestamptz not null,
  client text not null,
  topic text not null,
  -- The topic with its case folded by the service.
  topic_key text collate "C" not null,
  content text not null,
  rendered_content text not null,
  mentions_channel boolean not null default false,
  mentions_topic boolean not null default false,
  -- By the functions below. Generated columns would cost more: PostgreSQL reads their expressions from the catalog at
  -- each send, while functions are part of the statement's plan.
  has_link boolean not null,
  has_image boolean not null,
  has_attachment boolean not null,
  last_edit_at timestamptz,
  -- Edits and moves, newest first, as the API shows them; null if there were none.
  edit_history jsonb
);
create index messages_of_recipient on messages (recipient_id, id);
create index messages_of_topic on messages (recipient_id, topic_key, id);
create index messages_of_sender on messages (sender_id, id);
-- Messages that mention everyone are few: looking for mentions must not read all messages.
create index messages_wildcard on messages (recipient_id, id) where mentions_channel or mentions_topic;
create index messages_with_link on messages (recipient_id, id) where has_link;
create index messages_with_image on messages (recipient_id, id) where has_image;
create index messages_with_attachment on messages (recipient_id, id) where has_attachment;
create index messages_resolved on messages (recipient_id, id) where starts_with(topic, '✔ ');

-- Whether rendered content has links, images and uploaded files. Texts are escaped, so these tags are in the HTML only
-- where they were rendered.
create function has_link(html text) returns boolean
  language sql immutable parallel safe
  return strpos(html, '<a href="') > 0;
create function has_image(html text) returns boolean
  language sql immutable parallel safe
  return strpos(html, '<a href="') > 0 and html ~* '<a href="[^"]*[.](bmp|gif|jpe|jpeg|jpg|png|webp)"';
create function has_attachment(html text) returns boolean
  language sql immutable parallel safe
  return strpos(html, '<a href="') > 0 and html ~ '<a href="[^"]*/user_uploads/';

-- Only messages on which a user has a flag that the ranges don't contain.
create table message_flags (
  user_id bigint not null,
  message_id bigint not null,
  is_starred boolean not null default false,
  is_collapsed boolean not null default false,
  is_mentioned boolean not null default false,
  has_alert_word boolean not null default false,
  -- The user has the message from the channel's history, without having received it.
  is_historical boolean not null default false,
  primary key (user_id, message_id)
);
create index message_flags_starred on message_flags (user_id, message_id) where is_starred;
create index message_flags_mentioned on message_flags (user_id, message_id) where is_mentioned;
create index message_flags_alerted on message_flags (user_id, message_id) where has_alert_word;
create index message_flags_historical on message_flags (user_id, message_id) where is_historical;
-- Editing or deleting a message changes its flags.
create index message_flags_of_message on message_flags (message_id);
create index message_flags_historical_of_message on message_flags (message_id) where is_historical;

-- The emoji code is unique within its `reaction_type`; `emoji_name` is the name in the message's first reaction with
-- that emoji. `created_at` is the time of the statement, not of the transaction: reactions on a message are made one
-- after the other, and this is their order.
create table reactions (
  message_id bigint not null references messages on delete cascade,
  user_id bigint not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (message_id, user_id, reaction_type, emoji_code)
);

-- What clients attach to messages: polls, to-do lists and what users do with them. `content` is JSON.
create table submessages (
  id bigint generated always as identity primary key,
  message_id bigint not null references messages on delete cascade,
  sender_id bigint not null,
  msg_type text not null,
  content text not null
);
create index submessages_of_message on submessages (message_id, id);

-- The newest message that a user has seen, as sent by clients without support for unread messages. It may have
-- been deleted.
create table pointers (
  user_id bigint primary key,
  message_id bigint not null
);

-- Texts have their own table, which sends don't write: the search indexer does soon afterwards, for many messages
-- at once.

-- The text of a message that searches read.
create function message_text(topic text, content text) returns text
  language sql immutable parallel safe
  return topic || E'\n' || content;

-- Properties of a message, besides its text, that narrows filter by and that few messages have.
create function message_marks(topic text, has_link boolean, has_image boolean, has_attachment boolean) returns text[]
  language sql immutable parallel safe
  return array_remove(array[
    case when has_link then 'link' end,
    case when has_image then 'image' end,
    case when has_attachment then 'attachment' end,
    case when starts_with(topic, '✔ ') then 'resolved' end], null);

-- Searches read messages block by block from the end of the page, so the cost of a page is independent of the
-- number of matches. An array, because an index finds any of several numbers at once.
create function blocks_of(message_id bigint) returns bigint[]
  language sql immutable parallel safe
  return array[message_id / 4096];

-- A run of letters of scripts without spaces between words (Thai, Lao, Burmese, Khmer, Japanese, Chinese), or without
-- spaces before what belongs to a word (Korean). Messaging splits search terms by the same letters.
create function unspaced_run() returns text
  language sql immutable parallel safe
  return '[\u0E00-\u0EFF\u1000-\u109F\u1100-\u11FF\u1780-\u17FF\u3005-\u3007\u3040-\u30FA\u30FC-\u30FF\u3130-\u318F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]+';

-- Every two neighbouring letters of such runs, and the last letter of each.
create function unspaced_pairs(text text) returns tsvector
  language sql immutable parallel safe
  return (select coalesce(array_to_tsvector(array_agg(distinct pair)), '')
            from (select letter || lead(letter, 1, '') over (partition by run order by position) as pair
                    from regexp_matches(text, unspaced_run(), 'g') with ordinality found (letters, run)
                   cross join unnest(string_to_array(letters[1], null)) with ordinality each (letter, position)) pairs);

-- The stems of a text's words, and those pairs. Without `<` and `>`: no words would be found in what looks like a tag.
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
  sender_id bigint not null,
  marks text[] not null,
  text text not null,
  search tsvector not null generated always as (search_vector(text)) stored
);
-- PostgreSQL chooses the plan by the frequency of words and their parts.
alter table message_texts
  alter column search set statistics 1000,
  alter column text set statistics 1000;
-- One index for words, parts of words, and the other filters of narrows: each search uses the columns that it
-- restricts. The indexer only appends to the pending list, and merges much of it at once, long before it reaches
-- its limit.
create index message_texts_found on message_texts
  using gin (recipient_id, sender_id, blocks_of(message_id), marks, search, text gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 65536);

-- One row. Every message with an ID up to `up_to` has its text, or will never exist; messages with higher IDs may
-- have theirs. The indexer locks the row, and no replica needs to read it before `due_at`.
create table search_progress (
  up_to bigint not null,
  due_at timestamptz not null
);
insert into search_progress values (0, now());

-- Updates texts after every change of their messages. Messages without a text are left to the indexer: it skips
-- messages that are being changed, and a change waits for it, so each sees the other's result. Once per statement:
-- once per row would make a move of a thousand messages half again as slow.
create function follow_messages() returns trigger language plpgsql as $$
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
create trigger message_texts_follow
  after update on messages
  referencing old table as before new table as after
  for each statement
  execute function follow_messages();

-- Files --------------------------------------------------------------------------------------------------------------

-- Files that users uploaded. The bytes are in the blob store.
create table attachments (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  owner_id bigint not null,
  -- The URL without /user_uploads/. Begins with the organization's ID.
  path_id text not null unique,
  -- The name at the time of the upload.
  name text not null,
  content_type text not null,
  size bigint not null,
  -- Size of an image in pixels as shown; null for other files, and if its header doesn't contain it.
  width integer,
  height integer,
  created_at timestamptz not null default now(),
  -- Time since which no message links it; null while one does.
  unused_since timestamptz default now()
);
create index attachments_of_owner on attachments (owner_id, id);
create index attachments_unused on attachments (unused_since) where unused_since is not null;
-- An import finds files by the name of their blob, with which the path begins.
create index attachments_path on attachments (path_id text_pattern_ops);

-- The messages that link a file. A message can be deleted only after its files were released.
create table attachment_messages (
  attachment_id bigint not null references attachments,
  message_id bigint not null references messages,
  primary key (attachment_id, message_id)
);
create index attachment_messages_of_message on attachment_messages (message_id);

create table attachment_scheduled_messages (
  attachment_id bigint not null references attachments,
  scheduled_message_id bigint not null,
  primary key (attachment_id, scheduled_message_id)
);
create index attachment_scheduled_messages_of_message on attachment_scheduled_messages (scheduled_message_id);

-- The total size of an organization's files. A change of files locks this row last.
create table upload_space (
  realm_id bigint primary key,
  bytes bigint not null
);

-- Blobs to delete: those of deleted files, and that of an upload until the file is stored. Committed before the blob
-- can exist, so that no blob is ever left without a row.
create table blobs_to_delete (
  name text primary key,
  delete_after timestamptz not null
);
create index blobs_to_delete_due on blobs_to_delete (delete_after);

-- Before and after a send --------------------------------------------------------------------------------------------

-- Texts that users have begun to write, for their other clients.
create table drafts (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  type text not null,
  -- One channel, or users.
  recipient_ids bigint[] not null,
  topic text not null,
  content text not null,
  -- UNIX seconds, by the client's clock.
  last_edited_at bigint not null
);
create index drafts_of_user on drafts (user_id, last_edited_at);

-- Idempotency keys of sends, written with the message: within a day a second attempt finds the first result or
-- violates the primary key, whichever replica it reaches and whatever failed in between.
create table idempotency_keys (
  user_id bigint not null,
  -- SHA-256 of the client's key, and of the request.
  key bytea not null,
  request bytea not null,
  message_id bigint not null,
  automatic_visibility smallint,
  sent_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (sent_at);

-- Messages to send at a later time. A row is deleted in the transaction that sends its message.
create table scheduled_messages (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  sender_id bigint not null,
  -- To a channel and topic, or to users (only the sender if alone).
  channel_id bigint references channels,
  topic text not null,
  -- The topic with its case folded by the service: messages to one topic are sent one after another.
  topic_key text,
  user_ids bigint[],
  content text not null,
  rendered_content text not null,
  read_by_sender boolean not null,
  client text not null,
  -- UNIX seconds.
  deliver_at bigint not null,
  -- It could not be sent, and isn't tried again until its sender changes it.
  failed boolean not null default false,
  -- It could not be sent for a while, so later messages to its topic or conversation no longer wait for it.
  may_be_passed boolean not null default false,
  -- Incremented by every change, so that no outdated version is sent.
  version integer not null default 1,
  -- Time of the next attempt: when it is due, or later while a replica holds its lease or after a failed attempt.
  attempt_at timestamptz not null,
  constraint scheduled_messages_addressee check ((channel_id is null) <> (user_ids is null))
);
create index scheduled_messages_of_sender on scheduled_messages (sender_id, deliver_at, id);
create index scheduled_messages_to_attempt on scheduled_messages (attempt_at, id) where not failed;
create index scheduled_messages_undelivered on scheduled_messages (deliver_at) where not failed;

-- Outgoing webhooks to call because of a message: written in the message's transaction, deleted when the call is done.
create table webhook_calls (
  -- Sent to the webhook, which recognizes a repeated call by it.
  id uuid primary key default gen_random_uuid(),
  realm_id bigint not null,
  bot_id bigint not null,
  message_id bigint not null,
  -- Failed calls so far.
  failures smallint not null default 0,
  -- Time of the next call: at once, later while a replica makes it, or after a failure.
  attempt_at timestamptz not null default now()
);
create index webhook_calls_of_bot on webhook_calls (bot_id, attempt_at, id);
