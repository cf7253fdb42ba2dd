-- Up Migration

-- By which transaction a user's alert words were last changed here, so that a replica that looks every second reads
-- those that changed since it last looked. Null where that was before this was kept, or there never were any. By a
-- trigger, since there are several ways in which facts get here.
alter table known_users add column alert_words_xid xid8;

create function note_changed_alert_words() returns trigger language plpgsql as $$
begin
  new.alert_words_xid = pg_current_xact_id();
  return new;
end $$;

create trigger note_first_alert_words
  before insert on known_users
  for each row
  when (new.facts -> 'alert_words' <> '[]')
  execute function note_changed_alert_words();

create trigger note_changed_alert_words
  before update of facts on known_users
  for each row
  when (new.facts -> 'alert_words' is distinct from old.facts -> 'alert_words')
  execute function note_changed_alert_words();

-- Down Migration
drop trigger note_changed_alert_words on known_users;
drop trigger note_first_alert_words on known_users;
drop function note_changed_alert_words;
alter table known_users drop column alert_words_xid;
