-- Up Migration

-- Emoji on messages. Within each `reaction_type` the code has a namespace of its own; `emoji_name` is the name by
-- which the first reaction with that emoji was made. `created_at` is when the row was made, not when its
-- transaction began: reactions of a message are made one after the other, and this is their order.
create table reactions (
  message_id bigint not null references messages on delete cascade,
  user_id bigint not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (message_id, user_id, reaction_type, emoji_code)
);

-- What clients attach to messages: polls, to-do lists and what people do with them. `content` is JSON.
create table submessages (
  id bigint generated always as identity primary key,
  message_id bigint not null references messages on delete cascade,
  sender_id bigint not null,
  msg_type text not null,
  content text not null
);
create index submessages_of_message on submessages (message_id, id);

-- Who has a message without being subscribed: those who left, and those who only reacted to it or starred it.
create index subscriptions_left on subscriptions (channel_id) where not is_active;
create index message_flags_historical_of_message on message_flags (message_id) where is_historical;

-- Down Migration
drop index message_flags_historical_of_message, subscriptions_left;
drop table submessages, reactions;
