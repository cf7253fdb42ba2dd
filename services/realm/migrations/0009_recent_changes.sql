-- Up Migration

-- What users and messaging cache or project of organizations: whatever changes of one, or of what it has, changes its version.
create function note_recent_realm() returns trigger language plpgsql as $$
begin
  if not notes_recent_changes() then
    return null;
  end if;
  insert into recent_changes (kind, subject_id) values ('realm', new.id);
  return null;
end $$;
create trigger recent_realm after insert or update on realms
  for each row execute function note_recent_realm();

-- Down Migration
drop trigger recent_realm on realms;
drop function note_recent_realm();
