-- Up Migration

-- What people have begun to write, for their other clients.
create table drafts (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  type text not null,
  -- One channel, or users.
  recipient_ids bigint[] not null,
  topic text not null,
  content text not null,
  -- UNIX seconds, as told by the client.
  last_edited_at bigint not null
);
create index drafts_of_user on drafts (user_id, last_edited_at);

-- Down Migration
drop table drafts;
