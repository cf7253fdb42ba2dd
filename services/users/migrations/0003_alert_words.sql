-- Up Migration

-- Both lists are told whole at every change, and changes of one account wait for its row, so they stand in it.
-- `muted_users` is [{"id", "timestamp"}], in UNIX seconds.
alter table accounts
  add column alert_words jsonb not null default '[]',
  add column muted_users jsonb not null default '[]';

-- Down Migration
alter table accounts drop column muted_users, drop column alert_words;
