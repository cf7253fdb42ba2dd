-- Up Migration

-- Mentions of everyone are few; looking for mentions must not look at all messages.
create index messages_wildcard on messages (recipient_id, id) where mentions_channel or mentions_topic;

-- What a user has of a channel's history without having received it.
create index message_flags_historical on message_flags (user_id, message_id) where is_historical;

-- A B-tree entry holds at most some 330 user IDs, and a conversation has no largest size. User IDs belong to
-- one realm each, so the list alone says which conversation it is.
alter table conversations
  drop constraint conversations_realm_id_user_ids_key,
  add constraint conversations_user_ids exclude using hash (user_ids with =);

-- Down Migration
alter table conversations
  drop constraint conversations_user_ids,
  add constraint conversations_realm_id_user_ids_key unique (realm_id, user_ids);
drop index message_flags_historical;
drop index messages_wildcard;
