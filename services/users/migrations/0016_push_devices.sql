-- Up Migration

-- Devices that would be told of messages, as their apps have registered them. A token may be longer than a key of an index
-- can be; an account has few, and changes of them wait for its row.
create table push_devices (
  id bigint generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  service text not null check (service in ('apns', 'fcm')),
  token text not null,
  -- Of Apple's devices, which of their apps it is; null where it said none.
  app_id text,
  registered_at timestamptz(3) not null default clock_timestamp()
);
create index push_devices_account on push_devices (account_id, id);

-- Down Migration
drop table push_devices;
