-- Up Migration

-- Facts of organizations have their domains; what is missing is asked for anew.
delete from known_realms;

-- Whether anybody may come in, which is asked at every sign-in; no statement can leave it out.
alter table known_realms
  add column is_active boolean not null generated always as ((facts ->> 'is_active')::boolean) stored;

-- Which organizations' users must be identified anew: by the transaction's ID, as in identity_changes.
create table realm_identity_changes (
  changed_in bigint not null default (pg_current_xact_id()::text::bigint),
  realm_id integer not null,
  changed_at timestamptz(3) not null default now(),
  primary key (changed_in, realm_id)
);
create index realm_identity_changes_age on realm_identity_changes (changed_at);

create function note_realm_identity_change() returns trigger language plpgsql as $$
begin
  insert into realm_identity_changes (realm_id) values (new.realm_id) on conflict do nothing;
  return null;
end $$;
create trigger realm_identity_changed after update on known_realms
  for each row when ((old.is_active, old.string_id) is distinct from (new.is_active, new.string_id))
  execute function note_realm_identity_change();

-- One that was forgotten, and is known again as inactive.
create trigger realm_identity_known after insert on known_realms
  for each row when (not new.is_active)
  execute function note_realm_identity_change();

-- Down Migration
drop trigger realm_identity_known on known_realms;
drop trigger realm_identity_changed on known_realms;
drop function note_realm_identity_change();
drop table realm_identity_changes;
alter table known_realms drop column is_active;
