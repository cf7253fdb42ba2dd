-- Up Migration

-- Messages that wait for their time. A row goes in the transaction that sends its message.
create table scheduled_messages (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  sender_id bigint not null,
  -- Where it goes: a channel and topic, or users (the sender only when alone).
  channel_id bigint references channels,
  topic text not null,
  user_ids bigint[],
  content text not null,
  rendered_content text not null,
  read_by_sender boolean not null,
  client text not null,
  -- UNIX seconds.
  deliver_at bigint not null,
  -- It could not be delivered, and is not tried again before its sender changes it.
  failed boolean not null default false,
  -- Grows with every change, so that nothing is delivered that was changed meanwhile.
  revision integer not null default 1,
  -- When it is tried next: at its time, or later while a replica has it, or after one could not know.
  attempt_at timestamptz not null,
  constraint scheduled_messages_addressee check ((channel_id is null) <> (user_ids is null))
);
create index scheduled_messages_of_sender on scheduled_messages (sender_id, deliver_at, id);
create index scheduled_messages_to_attempt on scheduled_messages (attempt_at, id) where not failed;
create index scheduled_messages_undelivered on scheduled_messages (deliver_at) where not failed;

-- Down Migration
drop table scheduled_messages;
