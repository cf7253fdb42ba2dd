-- Up Migration

-- Grows with each change that ends all sessions of an account, or of an organization. A session has the values of its
-- beginning, and is valid while these are the same. So sessions end with the commit of the change.
alter table accounts add column session_generation integer not null default 0;
alter table known_realms add column session_generation integer not null default 0;

-- Triggers, so that no statement can leave it out.
create function end_account_sessions() returns trigger language plpgsql as $$
begin
  new.session_generation := old.session_generation + 1;
  return new;
end $$;
create trigger account_sessions_ended before update on accounts
  for each row when (old.is_active and not new.is_active or old.password_hash is distinct from new.password_hash)
  execute function end_account_sessions();

create function end_realm_sessions() returns trigger language plpgsql as $$
begin
  new.session_generation := old.session_generation + 1;
  return new;
end $$;
-- Before an update, the generated column of the new row has no value yet.
create trigger realm_sessions_ended before update on known_realms
  for each row when (old.is_active and not (new.projection ->> 'is_active')::boolean)
  execute function end_realm_sessions();

-- Down Migration

drop trigger realm_sessions_ended on known_realms;
drop function end_realm_sessions();
drop trigger account_sessions_ended on accounts;
drop function end_account_sessions();
alter table known_realms drop column session_generation;
alter table accounts drop column session_generation;
