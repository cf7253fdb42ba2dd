-- Up Migration

-- Up to where digests are mailed. One row.
create table digest_progress (
  -- The hour whose digests are mailed, or the next one.
  slot timestamptz(3) primary key,
  -- The organization and the account up to which that is done.
  at_realm_id integer not null,
  at_user_id integer not null,
  -- The replica that does it, and until when.
  holder uuid,
  leased_until timestamptz(3) not null default now()
);
insert into digest_progress (slot, at_realm_id, at_user_id)
values (date_trunc('hour', now(), 'UTC'), 0, 0);

-- When users had their latest digest.
create table digests (
  user_id integer primary key,
  realm_id integer not null,
  mailed_at timestamptz(3) not null
);
create index digests_of_realm on digests (realm_id);

-- Down Migration

drop table digests;
drop table digest_progress;
