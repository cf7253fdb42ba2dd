-- Up Migration

-- What messaging has handed over to be mailed: each once, and so many mails to a user on a day.
create table missed_message_batches (
  id uuid primary key,
  realm_id integer not null,
  user_id integer not null,
  handed_over_at timestamptz(3) not null,
  -- Mails that were queued because of it.
  mails integer not null
);
create index missed_message_batches_of_user on missed_message_batches (user_id, handed_over_at);
create index missed_message_batches_age on missed_message_batches (handed_over_at);

-- Down Migration

drop table missed_message_batches;
