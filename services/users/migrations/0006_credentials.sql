-- Up Migration

-- Whom gateways must ask about anew, of the last minutes: who remembers an identity asks for what came after the last
-- answer. A trigger writes it, so that no statement which changes an account can leave it out.
create table identity_changes (
  -- The transaction's ID: of an answer's snapshot, all below its oldest running transaction is known to be seen.
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

-- What only bots have. Streams are kept by name, as clients give and get them.
create table bots (
  user_id integer primary key references accounts,
  default_sending_stream text,
  default_events_register_stream text,
  default_all_public_streams boolean not null default false,
  -- Of an outgoing webhook: where it is called, with which token, in which form (1 generic, 2 Slack).
  payload_url text,
  service_token text,
  service_interface smallint
);
create index accounts_of_owner on accounts (bot_owner_id) where bot_owner_id is not null;
-- Who is told of an organization's bots.
create index accounts_administrators on accounts (realm_id, role) where role <= 200 and not is_bot;

-- Down Migration
drop index accounts_administrators;
drop index accounts_of_owner;
drop table bots;
drop trigger identity_changed on accounts;
drop function note_identity_change;
drop table identity_changes;
