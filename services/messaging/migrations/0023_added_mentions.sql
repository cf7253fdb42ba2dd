-- Up Migration

-- Users that an edit mentions and the text before did not, until it is decided which of them are notified by mail.
create table added_mentions (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  message_id bigint not null,
  user_ids bigint[] not null
);
create index added_mentions_of_realm on added_mentions (realm_id);

-- Down Migration

drop table added_mentions;
