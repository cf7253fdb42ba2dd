-- Up Migration

-- The release before changes the kind and the permissions of private channels without storing who sees them by these. A channel that
-- anyone changed is therefore marked for the loop that keeps full members, which looks at it within seconds. This release stores who
-- sees a channel in the transaction of its change, and takes the mark back with it.
create function note_changed_channel_access() returns trigger language plpgsql as $$
begin
  new.admits_full_members := true;
  return new;
end
$$;
create trigger note_new_channel_access
  before insert on channels
  for each row
  when (new.invite_only)
  execute function note_changed_channel_access();
create trigger note_changed_channel_access
  before update of invite_only, permissions on channels
  for each row
  when (new.invite_only <> old.invite_only or new.invite_only and new.permissions <> old.permissions)
  execute function note_changed_channel_access();

-- Those that replicas changed since the table of grantees was filled, and those given to a system group together with users.
-- Safe while the release before runs: it doesn't know the column, and few channels are private.
update channels set admits_full_members = true where invite_only;

-- Down Migration

drop trigger note_changed_channel_access on channels;
drop trigger note_new_channel_access on channels;
drop function note_changed_channel_access;
