-- Up Migration

-- The newest message that a user has been at, as clients say that don't go by unread messages. It may be deleted since.
create table pointers (
  user_id bigint primary key,
  message_id bigint not null
);

-- Down Migration
drop table pointers;
