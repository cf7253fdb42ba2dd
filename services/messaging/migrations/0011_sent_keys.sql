-- Up Migration

-- Sends that may be tried again: written with the message, so that a second attempt within a day finds the first
-- answer or runs into this key, whichever replica it reaches and whatever died in between.
create table sent_keys (
  user_id bigint not null,
  -- SHA-256 of what the client calls the send, and of the message.
  key bytea not null,
  request bytea not null,
  message_id bigint not null,
  automatic_visibility smallint,
  sent_at timestamptz not null default now(),
  constraint sent_keys_pkey primary key (user_id, key)
);
create index sent_keys_age on sent_keys (sent_at);

-- Down Migration
drop table sent_keys;
