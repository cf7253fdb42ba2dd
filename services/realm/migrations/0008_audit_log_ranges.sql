-- Up Migration

-- When the entries of each thousand IDs of an organization happened. Almost all are in the order of time, but a late one comes after
-- others: by this table a time becomes a range of IDs that misses none.
create table audit_log_ranges (
  realm_id integer not null references realms (id) on delete cascade,
  -- The ID of an entry, divided by 1,000. The highest one stays when its entries are deleted, so that no ID comes again.
  part bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (realm_id, part)
) with (
  -- The newest row of an organization changes with each of its entries.
  fillfactor = 50
);

create function note_audit_ranges() returns trigger language plpgsql as $$
begin
  insert into audit_log_ranges as present (realm_id, part, first_at, last_at)
  select realm_id, id / 1000, min(at), max(at) from added group by realm_id, id / 1000 order by realm_id, id / 1000
      on conflict (realm_id, part) do update
     set first_at = least(present.first_at, excluded.first_at), last_at = greatest(present.last_at, excluded.last_at)
   where excluded.first_at < present.first_at or excluded.last_at > present.last_at;
  return null;
end
$$;
-- Until the migration ends no entry is stored, so that none is left out. Nothing waits for that but the reader of the stream.
create trigger note_ranges after insert on audit_log
  referencing new table as added
  for each statement execute function note_audit_ranges();
insert into audit_log_ranges (realm_id, part, first_at, last_at)
select realm_id, id / 1000, min(at), max(at) from audit_log group by realm_id, id / 1000;

-- As before, and entries that are older than their organization wants: 30 days at least.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from realm_deletions where realm_id = old.realm_id and begun_at is not null)
       or exists (select from realms where id = old.realm_id and import_begun_at is not null)
       or exists (
            select
              from realms
             where id = old.realm_id
               and (settings ->> 'audit_log_retention_days')::int > 0
               and old.at < now() - interval '1 day'
                                    * least(greatest((settings ->> 'audit_log_retention_days')::int, 30), 36500)
          )
    then
      return old;
    end if;
  end if;
  raise exception 'entries of the audit log can be neither changed nor deleted';
end
$$;

-- Down Migration

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
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
drop trigger note_ranges on audit_log;
drop table audit_log_ranges;
drop function note_audit_ranges();
