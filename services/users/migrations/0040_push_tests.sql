-- Up Migration

-- How many tests of their devices users have asked for within a minute.
create table push_tests (
  account_id integer primary key references accounts on delete cascade,
  begun_at timestamptz(3) not null,
  count integer not null
);

-- Down Migration

drop table push_tests;
