-- Up Migration

-- The highest ID of each thousand, also after its entry has expired: the next entry gets a higher one. Null until
-- the part gets an entry.
alter table audit_log_ranges add column last_id bigint;

create or replace function note_audit_ranges() returns trigger language plpgsql as $$
begin
  insert into audit_log_ranges as present (realm_id, part, first_at, last_at, last_id)
  select realm_id, id / 1000, min(at), max(at), max(id) from added group by realm_id, id / 1000 order by realm_id, id / 1000
      on conflict (realm_id, part) do update
     set first_at = least(present.first_at, excluded.first_at), last_at = greatest(present.last_at, excluded.last_at),
         last_id = greatest(present.last_id, excluded.last_id);
  return null;
end
$$;

-- Down Migration

create or replace function note_audit_ranges() returns trigger language plpgsql as $$
begin
  insert into audit_log_ranges as present (realm_id, part, first_at, last_at)
  select realm_id, id / 1000, min(at), max(at) from added group by realm_id, id / 1000 order by realm_id, id / 1000
      on conflict (realm_id, part) do update
     set first_at = least(present.first_at, excluded.first_at), last_at = greatest(present.last_at, excluded.last_at)
   where excluded.first_at < present.first_at or excluded.last_at > present.last_at;
  return null;
end
$$;
alter table audit_log_ranges drop column last_id;
