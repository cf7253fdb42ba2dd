-- Up Migration

-- Clients that ask for notifications which are encrypted for them.
create table client_devices (
  id bigint generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  created_at timestamptz(3) not null default now(),
  -- Why the latest registration of a token failed; null if it didn't.
  error_code text
);
create index client_devices_of_account on client_devices (account_id);

-- Where they are reached. They are services of their own, so that a replica of the release before sends nothing there.
alter table push_devices
  add column client_device_id bigint,
  -- The key that notifications are encrypted with, and its number.
  add column push_key text,
  add column push_key_id bigint,
  -- What the client calls the token.
  add column push_token_id text;
alter table push_devices add constraint push_devices_client_device
  foreign key (client_device_id) references client_devices on delete cascade not valid;
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push', 'relay', 'sealed_apns', 'sealed_fcm')) not valid;
alter table push_devices add constraint push_devices_sealed_check
  check (num_nonnulls(client_device_id, push_key, push_key_id, push_token_id)
         = case when service like 'sealed%' then 4 else 0 end) not valid;

-- Down Migration

delete from push_devices where service in ('sealed_apns', 'sealed_fcm');
alter table push_devices drop constraint push_devices_sealed_check;
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push', 'relay')) not valid;
alter table push_devices
  drop column client_device_id,
  drop column push_key,
  drop column push_key_id,
  drop column push_token_id;
drop table client_devices;
