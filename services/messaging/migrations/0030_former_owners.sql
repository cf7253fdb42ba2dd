-- Up Migration

-- Who owned a bot before somebody else became its owner, until what the new owner must not have was taken from the bot.
-- By a trigger, because facts are saved in several ways, and by the release before as well.
alter table known_users add column former_owner_id bigint;

create function note_former_owner() returns trigger language plpgsql as $$
begin
  new.former_owner_id := coalesce(new.former_owner_id, (old.facts ->> 'bot_owner_id')::bigint);
  return new;
end
$$;

create trigger note_former_owner
  before update of facts on known_users
  for each row
  when ((old.facts ->> 'bot_owner_id') <> (new.facts ->> 'bot_owner_id'))
  execute function note_former_owner();

-- Down Migration
drop trigger note_former_owner on known_users;
drop function note_former_owner();
alter table known_users drop column former_owner_id;
