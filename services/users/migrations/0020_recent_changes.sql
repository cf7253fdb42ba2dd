-- Up Migration

-- Safe while the release before runs: its gateways are answered with an error and ask about each caller once a second.
drop trigger identity_changed on accounts;
-- Safe while the release before runs: as above.
drop function note_identity_change();
-- Safe while the release before runs: as above.
drop table identity_changes;
-- Safe while the release before runs: as above.
drop trigger realm_identity_changed on known_realms;
-- Safe while the release before runs: as above.
drop trigger realm_identity_known on known_realms;
-- Safe while the release before runs: as above.
drop function note_realm_identity_change();
-- Safe while the release before runs: as above.
drop table realm_identity_changes;

-- What gateways and messaging cache or project of accounts.
create function note_recent_account() returns trigger language plpgsql as $$
begin
  if not notes_recent_changes() then
    return null;
  end if;
  if tg_op = 'INSERT' or new.version is distinct from old.version then
    insert into recent_changes (kind, subject_id) values ('user', new.id);
  end if;
  if tg_op = 'UPDATE' and (old.api_key, old.role, old.is_active, old.email, old.delivery_email)
       is distinct from (new.api_key, new.role, new.is_active, new.email, new.delivery_email) then
    insert into recent_changes (kind, subject_id) values ('identity', new.id);
  end if;
  return null;
end $$;
create trigger recent_account after insert or update on accounts
  for each row execute function note_recent_account();

create function note_recent_group() returns trigger language plpgsql as $$
begin
  if not notes_recent_changes() then
    return null;
  end if;
  insert into recent_changes (kind, subject_id)
  values ('group', case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end $$;
create trigger recent_group after insert or update or delete on user_groups
  for each row execute function note_recent_group();

-- Of an organization that is deactivated, reactivated or moved, everyone is identified anew.
create function note_recent_realm_identities() returns trigger language plpgsql as $$
begin
  insert into recent_changes (kind, subject_id) values ('realm_identities', new.realm_id);
  return null;
end $$;
create trigger recent_realm_identities_changed after update on known_realms
  for each row when ((old.is_active, old.string_id) is distinct from (new.is_active, new.string_id))
  execute function note_recent_realm_identities();
create trigger recent_realm_identities_known after insert on known_realms
  for each row execute function note_recent_realm_identities();

-- Down Migration
drop trigger recent_realm_identities_known on known_realms;
drop trigger recent_realm_identities_changed on known_realms;
drop function note_recent_realm_identities();
drop trigger recent_group on user_groups;
drop function note_recent_group();
drop trigger recent_account on accounts;
drop function note_recent_account();

create table identity_changes (
  changed_in bigint not null default (pg_current_xact_id()::text::bigint),
  user_id integer not null references accounts,
  changed_at timestamptz(3) not null default now(),
  primary key (changed_in, user_id)
);
create index identity_changes_age on identity_changes (changed_at);

create function note_identity_change() returns trigger language plpgsql as $$
begin
  insert into identity_changes (user_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger identity_changed after update on accounts
  for each row when (
    (old.api_key, old.role, old.is_active, old.email, old.delivery_email)
      is distinct from (new.api_key, new.role, new.is_active, new.email, new.delivery_email)
  )
  execute function note_identity_change();

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
