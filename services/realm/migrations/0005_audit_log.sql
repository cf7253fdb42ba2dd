-- Up Migration

-- Who did what in an organization, by the events of all services. Nothing is changed afterwards, and nothing is deleted but all
-- entries of an organization with it.
create table audit_log (
  realm_id integer not null references realms (id),
  -- Ascending within an organization, in the order in which the entries became visible.
  id bigint not null,
  at timestamptz not null,
  -- `user`, `nobody` without an account, `provisioning`, `directory`, `command_line` or `system`.
  actor_kind text not null,
  actor_id bigint,
  action text not null,
  target_type text,
  -- Empty: the organization as a whole. An event with more targets than one row takes has several rows.
  target_ids bigint[] not null default '{}',
  channel_id bigint,
  group_id bigint,
  -- Old and new values, as JSON.
  details jsonb,
  -- The client's IP address and its program.
  address text,
  client text,
  request_id text,
  -- The event of which it is the nth entry: an event that comes again makes no other. Null for imported entries.
  stream uuid,
  seq bigint,
  nth integer,
  primary key (realm_id, id)
);
create unique index audit_log_event_idx on audit_log (stream, seq, nth);
create index audit_log_actor_idx on audit_log (realm_id, actor_id, id) where actor_id is not null;
create index audit_log_actor_kind_idx on audit_log (realm_id, actor_kind, id) where actor_kind <> 'user';
create index audit_log_target_type_idx on audit_log (realm_id, target_type, id) where target_type is not null;
create index audit_log_target_idx on audit_log using gin (target_ids);
create index audit_log_action_idx on audit_log (realm_id, action, id);
create index audit_log_channel_idx on audit_log (realm_id, channel_id, id) where channel_id is not null;
create index audit_log_group_idx on audit_log (realm_id, group_id, id) where group_id is not null;
create index audit_log_at_idx on audit_log (realm_id, at);

-- One row, which puts all entries in order. Everything that the stream received before `read_up_to` is stored.
create table audit_position (
  is_only boolean primary key default true check (is_only),
  read_up_to timestamptz
);
insert into audit_position default values;

-- Entries that can't be stored because of what is in them, such as a number that is too large: nothing waits for them.
create table audit_set_aside (
  stream uuid not null,
  seq bigint not null,
  realm_id bigint not null,
  -- The event with its entries, as JSON text.
  body text not null,
  reason text not null,
  set_aside_at timestamptz not null default now(),
  primary key (stream, seq)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from realm_deletions where realm_id = old.realm_id and begun_at is not null)
       or exists (select from realms where id = old.realm_id and import_begun_at is not null)
    then
      return old;
    end if;
  end if;
  raise exception 'entries of the audit log can be neither changed nor deleted';
end
$$;
create trigger refuse_change before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger refuse_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- Down Migration

drop table audit_set_aside;
drop table audit_position;
drop table audit_log;
drop function refuse_audit_change();
