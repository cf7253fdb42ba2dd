-- Up Migration

-- Up to which message it is decided which users are notified of it by mail. One row. Messages before the first
-- decision notify nobody.
create table missed_message_progress (
  up_to bigint not null,
  -- The replica that decides, and until when.
  holder uuid,
  leased_until timestamptz not null default now()
);
insert into missed_message_progress (up_to)
select case when is_called then last_value else 0 end from message_ids;

-- Messages that mention everyone in a channel or topic: for each, up to which of its subscribers it is decided.
create table missed_wildcards (
  message_id bigint primary key,
  realm_id bigint not null,
  after_user_id bigint not null default 0
);
create index missed_wildcards_of_realm on missed_wildcards (realm_id);

-- What waits to be mailed, for each user. It is sealed when its time has come: what comes later goes into the next one.
create table missed_message_batches (
  id uuid primary key default gen_random_uuid(),
  realm_id bigint not null,
  user_id bigint not null,
  opened_at timestamptz not null default now(),
  is_sealed boolean not null default false,
  -- When it is due; later while a replica hands it over, or after a failure.
  attempt_at timestamptz not null
);
create unique index missed_message_batches_open on missed_message_batches (user_id) where not is_sealed;
create index missed_message_batches_due on missed_message_batches (attempt_at);
create index missed_message_batches_of_realm on missed_message_batches (realm_id);

-- No foreign key to messages: a message that was deleted meanwhile is left out.
create table missed_messages (
  batch_id uuid not null references missed_message_batches on delete cascade,
  message_id bigint not null,
  trigger text not null,
  -- The mentioned group, if the user is mentioned by a group alone.
  group_id bigint,
  primary key (batch_id, message_id)
);

-- Down Migration

drop table missed_messages;
drop table missed_message_batches;
drop table missed_wildcards;
drop table missed_message_progress;
