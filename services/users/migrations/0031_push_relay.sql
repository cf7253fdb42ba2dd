-- Up Migration

-- Devices that a push relay service knows. It sends to all that it knows of a user, so one row of the service `relay`
-- stands for all of them where something is sent.
alter table push_devices add column is_relayed boolean not null default false;
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push', 'relay')) not valid;

-- Devices that are gone here, and that the service is yet to remove. The account may be gone too.
create table push_relay_removals (
  id bigint generated always as identity primary key,
  account_id integer not null,
  service text not null,
  token text not null,
  removed_at timestamptz(3) not null default now(),
  failures integer not null default 0,
  -- Later while a replica is at it, or after a failure.
  attempt_at timestamptz(3) not null default now()
);
create index push_relay_removals_due on push_relay_removals (attempt_at);
create index push_relay_removals_of_account on push_relay_removals (account_id);

-- However a device goes: removed, replaced, deleted with its account.
create function note_relay_removal() returns trigger language plpgsql as $$
begin
  insert into push_relay_removals (account_id, service, token) values (old.account_id, old.service, old.token);
  return null;
end
$$;
create trigger note_relay_removal after delete on push_devices
  for each row when (old.is_relayed) execute function note_relay_removal();

-- Down Migration

drop trigger note_relay_removal on push_devices;
drop function note_relay_removal();
drop table push_relay_removals;
delete from push_devices where service = 'relay';
alter table push_devices drop constraint push_devices_service_check;
alter table push_devices add constraint push_devices_service_check
  check (service in ('apns', 'fcm', 'web_push')) not valid;
alter table push_devices drop column is_relayed;
