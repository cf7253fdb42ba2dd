-- Up Migration

-- Subscriptions of browsers and open distributors: the token is the address, and what is sent is encrypted for these keys.
alter table push_devices
  add column p256dh text,
  add column auth_secret text,
  -- Whether it gets what makes notifications disappear.
  add column gets_removals boolean not null default true;
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push')) not valid;

-- Whether notifications can be sent to a device; other services have it in their copies of the account.
alter table accounts add column has_push_devices boolean not null default false;

-- What messaging has handed over to be pushed: each once, and so many to a user in an hour.
create table push_hand_overs (
  id uuid primary key,
  realm_id integer not null,
  user_id integer not null,
  handed_over_at timestamptz(3) not null,
  -- Whether something appears on the devices because of it.
  is_shown boolean not null
);
create index push_hand_overs_of_user on push_hand_overs (user_id, handed_over_at);
create index push_hand_overs_age on push_hand_overs (handed_over_at);

-- What waits to be sent to a device.
create table push_deliveries (
  id bigint generated always as identity primary key,
  realm_id integer not null,
  account_id integer not null references accounts on delete cascade,
  device_id bigint not null references push_devices on delete cascade,
  -- The service: a slow one delays only its own deliveries.
  target text not null,
  -- The message that appears; null if none does.
  message_id bigint,
  notice jsonb not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  failures integer not null default 0,
  -- When it is due; later while a replica sends it, or after a failure.
  attempt_at timestamptz(3) not null default now()
);
create index push_deliveries_due on push_deliveries (target, attempt_at);
create index push_deliveries_of_account on push_deliveries (account_id);
create index push_deliveries_of_device on push_deliveries (device_id);
create index push_deliveries_of_realm on push_deliveries (realm_id);

-- Down Migration

drop table push_deliveries;
drop table push_hand_overs;
alter table accounts drop column has_push_devices;
delete from push_devices where service = 'web_push';
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check check (service in ('apns', 'fcm')) not valid;
alter table push_devices drop column gets_removals;
alter table push_devices drop column auth_secret;
alter table push_devices drop column p256dh;
