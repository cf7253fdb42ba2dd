-- Up Migration

-- What waits to appear on a user's devices, or to disappear from them, until it is handed over to users.
create table push_notices (
  id uuid primary key default gen_random_uuid(),
  realm_id bigint not null,
  user_id bigint not null,
  -- Null if the messages are to disappear.
  trigger text,
  -- The mentioned group, if the user is mentioned by a group alone.
  group_id bigint,
  message_ids bigint[] not null,
  created_at timestamptz not null default now(),
  -- How often a replica began to hand it over, also if the replica died.
  attempts integer not null default 0,
  attempt_at timestamptz not null default now()
);
create index push_notices_due on push_notices (attempt_at);
create index push_notices_of_realm on push_notices (realm_id);

-- What is on a user's devices: unread messages that were handed over.
create table pushed_messages (
  user_id bigint not null,
  message_id bigint not null,
  realm_id bigint not null,
  pushed_at timestamptz not null default now(),
  primary key (user_id, message_id)
);
create index pushed_messages_age on pushed_messages (pushed_at);
create index pushed_messages_of_realm on pushed_messages (realm_id);

-- Down Migration

drop table pushed_messages;
drop table push_notices;
