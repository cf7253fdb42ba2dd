-- Up Migration

-- Which transaction changed an account last, by its ID, as in identity_changes: what is remembered of accounts is brought
-- up to date by asking for those that changed since. Accounts are deactivated and never deleted, so nothing else has to be
-- told. 0 is before all that anybody remembers.
alter table accounts add column changed_in bigint not null default 0;
create index accounts_changed on accounts (realm_id, changed_in);

create function note_account_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id()::text::bigint;
  return new;
end $$;
create trigger account_changed before insert or update on accounts
  for each row execute function note_account_change();

-- Down Migration
drop trigger account_changed on accounts;
drop function note_account_change();
drop index accounts_changed;
alter table accounts drop column changed_in;
