-- Up Migration

-- What messaging keeps of accounts and organizations is told as one document, so it is kept as one: a fact more
-- is no column more. Beside it stand what rows are found by, folded by the service, and `version`, which settles
-- which fact is newer, whatever order they arrive in. All of it is read from its owners again at start.
drop table known_users, known_realms;

create table known_users (
  user_id bigint primary key,
  realm_id bigint not null,
  email_key text not null,
  name_key text not null,
  version bigint not null,
  facts jsonb not null
);
create index known_users_email on known_users (realm_id, email_key);
create index known_users_name on known_users (realm_id, name_key);
create index known_users_system_bot on known_users (realm_id) where facts -> 'is_system_bot' = 'true';
-- Of the few who watch for words.
create index known_users_alert_words on known_users (realm_id) where facts -> 'alert_words' <> '[]';
-- Of the few who don't want to hear of someone.
create index known_users_muting on known_users using gin ((facts -> 'muted_user_ids') jsonb_path_ops)
  where facts -> 'muted_user_ids' <> '[]';

create table known_realms (
  realm_id bigint primary key,
  version bigint not null,
  facts jsonb not null
);

-- How a user wants to see a topic: 1 muted, 2 unmuted, 3 followed. No row is none of these. Topics compare by
-- `topic_key`, folded by the service; `topic_name` is as last spelt by the user.
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

-- The topic with its case folded by the service, as names of channels are: the database folds differently.
alter table messages add column topic_key text collate "C";
update messages set topic_key = lower(topic);
alter table messages alter column topic_key set not null;
drop index messages_of_topic;
create index messages_of_topic on messages (recipient_id, topic_key, id);

-- Down Migration
drop index messages_of_topic;
alter table messages drop column topic_key;
create index messages_of_topic on messages (recipient_id, lower(topic), id);
drop table user_topics, known_realms, known_users;
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
