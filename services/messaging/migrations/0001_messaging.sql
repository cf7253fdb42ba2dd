-- Up Migration

-- What messaging keeps of accounts and organizations, fed by domain events and read through on a miss.
-- `version` settles which fact is newer, whatever order they arrive in.
create table known_users (
  user_id bigint primary key,
  realm_id bigint not null,
  email text not null,
  full_name text not null,
  role smallint not null,
  is_bot boolean not null,
  is_active boolean not null,
  avatar_url text not null,
  is_gravatar boolean not null,
  version bigint not null
);
create index known_users_email on known_users (realm_id, lower(email));
create index known_users_name on known_users (realm_id, lower(full_name));

create table known_realms (
  realm_id bigint primary key,
  string_id text not null,
  name text not null,
  url text not null,
  is_active boolean not null,
  mandatory_topics boolean not null,
  waiting_period_threshold integer not null,
  create_public_stream_policy smallint not null,
  create_private_stream_policy smallint not null,
  create_web_public_stream_policy smallint not null,
  invite_to_stream_policy smallint not null,
  wildcard_mention_policy smallint not null,
  private_message_policy smallint not null,
  version bigint not null
);

-- A place where messages stand in one total order: a channel or a direct conversation. A sender locks the
-- row, so IDs grow in commit order within it, and `last_message_id` is every new message's predecessor.
create table recipients (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  last_message_id bigint not null default 0,
  first_message_id bigint
);

create table channels (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  recipient_id bigint not null unique references recipients,
  name text not null,
  -- The name with its case folded by the service: what must be unique, and what names are found by.
  name_key text not null,
  description text not null,
  rendered_description text not null,
  created_at timestamptz not null default now(),
  creator_id bigint,
  invite_only boolean not null,
  is_web_public boolean not null,
  history_public_to_subscribers boolean not null,
  stream_post_policy smallint not null,
  message_retention_days integer,
  can_remove_subscribers_group bigint not null,
  is_default boolean not null,
  is_archived boolean not null default false
);
create unique index channels_name on channels (realm_id, name_key) where not is_archived;

-- How many messages a channel gets in a week, as of the last count. Channels without a row got none.
create table channel_traffic (
  channel_id bigint primary key references channels,
  weekly_messages integer not null
);

-- The channel record of the API, with what is needed to choose among records.
create view channel_records as
  select channels.id as stream_id,
         channels.realm_id,
         channels.is_archived,
         channels.is_default,
         channels.name,
         channels.description,
         channels.rendered_description,
         extract(epoch from channels.created_at)::bigint as date_created,
         channels.creator_id,
         recipients.first_message_id,
         channels.invite_only,
         channels.is_web_public,
         channels.history_public_to_subscribers,
         channels.stream_post_policy,
         channels.message_retention_days,
         channels.can_remove_subscribers_group,
         channels.stream_post_policy = 2 as is_announcement_only,
         case
           when channels.created_at <= now() - interval '7 days' then coalesce(channel_traffic.weekly_messages, 0)
         end as stream_weekly_traffic
    from channels
    join recipients on recipients.id = channels.recipient_id
    left join channel_traffic on channel_traffic.channel_id = channels.id;

-- One row per user who ever subscribed: leaving keeps colour, settings and what was received.
-- `received`: the IDs that came while subscribed; an open upper end means subscribed now. `read`: the IDs
-- that the user has read. Unread is received * (…, last_message_id] - read. The slot of a message runs from
-- just after its predecessor, so neighbouring slots merge and a reader who is up to date has one range.
create table subscriptions (
  channel_id bigint not null references channels,
  user_id bigint not null,
  is_active boolean not null,
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

-- A direct conversation: the sorted set of its users, the sender included.
create table conversations (
  recipient_id bigint primary key references recipients,
  realm_id bigint not null,
  user_ids bigint[] not null,
  unique (realm_id, user_ids)
);
create table conversation_members (
  user_id bigint not null,
  recipient_id bigint not null references conversations,
  read int8multirange not null default '{}',
  primary key (user_id, recipient_id)
);

create sequence message_ids;

create table messages (
  id bigint primary key,
  realm_id bigint not null,
  recipient_id bigint not null references recipients,
  channel_id bigint references channels,
  -- ID of the message before it in the same place: its slot is (previous_id, id].
  previous_id bigint not null,
  sender_id bigint not null,
  topic text not null,
  content text not null,
  rendered_content text not null,
  sent_at timestamptz not null,
  client text not null,
  mentions_channel boolean not null default false,
  mentions_topic boolean not null default false,
  last_edit_at timestamptz
);
create index messages_of_recipient on messages (recipient_id, id);
create index messages_of_topic on messages (recipient_id, lower(topic), id);
create index messages_of_sender on messages (sender_id, id);

-- Sparse: only messages on which a user has a flag other than what the ranges say.
create table message_flags (
  user_id bigint not null,
  message_id bigint not null,
  is_starred boolean not null default false,
  is_collapsed boolean not null default false,
  is_mentioned boolean not null default false,
  has_alert_word boolean not null default false,
  -- The user saw a message of a channel's history that was never delivered to them.
  is_historical boolean not null default false,
  primary key (user_id, message_id)
);
create index message_flags_starred on message_flags (user_id, message_id) where is_starred;
create index message_flags_mentioned on message_flags (user_id, message_id) where is_mentioned;

-- Down Migration
drop view channel_records;
drop table channel_traffic, message_flags, messages, conversation_members, conversations, subscriptions, channels, recipients, known_realms, known_users;
drop sequence message_ids;
