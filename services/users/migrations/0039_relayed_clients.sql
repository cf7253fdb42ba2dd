-- Up Migration

-- What clients registered at the push relay service, which alone can open it, until that has accepted it or not.
create table sealed_registrations (
  -- A client's next registration replaces the one before.
  client_device_id bigint primary key references client_devices on delete cascade,
  account_id integer not null,
  -- Differs between registrations of a client.
  number bigint generated always as identity,
  token_kind text not null check (token_kind in ('apns', 'fcm')),
  token_id text not null,
  -- The key that the token is sealed for, in base64 like what was sealed.
  public_key text not null,
  sealed text not null,
  push_key text not null,
  push_key_id bigint not null,
  registered_at timestamptz(3) not null default clock_timestamp(),
  failures integer not null default 0,
  -- Later while a replica is at it, or after a failure.
  attempt_at timestamptz(3) not null default now()
);
create index sealed_registrations_due on sealed_registrations (attempt_at);

-- Such clients are services of their own: they have an ID in place of a token.
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push', 'relay', 'sealed_apns', 'sealed_fcm',
                     'sealed_relay_apns', 'sealed_relay_fcm')) not valid;

-- When organizations are reported to the push relay service by which the installation is known as this organization.
create table push_relay_reports (
  organization uuid primary key,
  due_at timestamptz(3) not null,
  -- When a report was made earlier because the service lacked an organization.
  hastened_at timestamptz(3)
);

-- Down Migration

drop table push_relay_reports;
delete from push_devices where service in ('sealed_relay_apns', 'sealed_relay_fcm');
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push', 'relay', 'sealed_apns', 'sealed_fcm')) not valid;
drop table sealed_registrations;
