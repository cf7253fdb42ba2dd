-- Accounts and their data, groups, invitations and mailed keys. Pending jobs are in the schema `graphile_worker`, which
-- that library creates itself.

-- Organizations ------------------------------------------------------------------------------------------------------

-- A projection of organizations, fed by domain events and read through if one is missing. The higher `version` is newer,
-- regardless of the order of arrival. The data is one document, so a new field needs no column.
create table known_realms (
  realm_id integer primary key,
  string_id text not null,
  version integer not null,
  projection jsonb not null,
  -- Read at every sign-in. Generated, so that no statement can leave it out.
  is_active boolean not null generated always as ((projection ->> 'is_active')::boolean) stored
);
create index known_realms_string_id on known_realms (string_id);

-- When an organization is deactivated, reactivated or moved to another host, gateways must identify its users again.
create function note_recent_realm_identities() returns trigger language plpgsql as $$
begin
  insert into recent_changes (kind, subject_id) values ('realm_identities', new.realm_id);
  return null;
end $$;
create trigger recent_realm_identities_changed after update on known_realms
  for each row when ((old.is_active, old.string_id) is distinct from (new.is_active, new.string_id))
  execute function note_recent_realm_identities();
create trigger recent_realm_identities_known after insert on known_realms
  for each row execute function note_recent_realm_identities();

-- Default settings of new accounts, where they differ from the server's.
create table setting_defaults (
  realm_id integer primary key,
  settings jsonb not null default '{}'
);

-- Accounts -----------------------------------------------------------------------------------------------------------

-- Users and bots. Accounts are deactivated, never deleted. Addresses compare case-insensitively, by the lower-case
-- copies. The address comes first in those indexes, because signing in searches all organizations. Lists are columns of
-- the account: clients and other services get each as a whole, and changes of an account wait for its row anyway.
create table accounts (
  id integer generated always as identity primary key,
  realm_id integer not null,
  -- The API e-mail: the delivery e-mail if everyone may see that, else an address made from the ID.
  email text not null,
  email_lower text not null generated always as (lower(email)) stored,
  delivery_email text not null,
  delivery_email_lower text not null generated always as (lower(delivery_email)) stored,
  -- 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
  email_address_visibility smallint not null default 1,
  full_name text not null,
  date_joined timestamptz(3) not null default now(),
  timezone text not null default '',

  -- argon2id; null for an account that can't sign in with a password.
  password_hash text,
  api_key text not null unique,
  -- 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
  role smallint not null,
  is_active boolean not null default true,

  is_bot boolean not null default false,
  -- 1 generic, 2 incoming webhook, 3 outgoing webhook.
  bot_type smallint,
  bot_owner_id integer references accounts,
  -- The organization's own bot, which sends notifications.
  is_system_bot boolean not null default false,

  -- G: gravatar; U: uploaded.
  avatar_source text not null default 'G',
  avatar_version integer not null default 1,
  -- The name of an uploaded avatar's files, without their endings. Random, so that nobody can guess it.
  avatar_file text,

  -- Only settings that differ from their defaults (src/settings/user-settings.ts).
  settings jsonb not null default '{}',
  -- The user's status as clients get it; empty for most users.
  status jsonb not null default '{}',
  -- By the ID of the profile field: {"value", "rendered_value"}. Every record of a user contains all of it.
  profile_data jsonb not null default '{}',
  alert_words jsonb not null default '[]',
  -- [{"id", "timestamp"}], in UNIX seconds.
  muted_users jsonb not null default '[]',
  -- Names of the one-time notices that the user has read, in that order.
  seen_onboarding_steps jsonb not null default '[]',

  -- Grows with every change; see userProjection in the contracts.
  version integer not null default 1,
  -- The ID of the transaction that last changed the account. Caches load accounts that changed since their last load;
  -- 0 is before everything in a cache.
  changed_in bigint not null default 0,

  unique (email_lower, realm_id),
  unique (delivery_email_lower, realm_id)
);
create index accounts_realm on accounts (realm_id, id);
create index accounts_changed on accounts (realm_id, changed_in);
create unique index accounts_system_bot on accounts (realm_id) where is_system_bot;
create index accounts_of_owner on accounts (bot_owner_id) where bot_owner_id is not null;
-- Administrators get the events of their organization's bots.
create index accounts_administrators on accounts (realm_id, role) where role <= 200 and not is_bot;
-- Members by when they joined: an organization may raise its waiting period.
create index accounts_members_joined on accounts (realm_id, date_joined) where role = 400;
-- Register reads the accounts of an organization with a status or hidden presence.
create index accounts_with_status on accounts (realm_id)
  where status <> '{}' or settings ->> 'presence_enabled' = 'false';

create function note_account_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id()::text::bigint;
  return new;
end $$;
create trigger account_changed before insert or update on accounts
  for each row execute function note_account_change();

-- Messaging projects accounts, and gateways cache the identities of callers.
create function note_recent_account() returns trigger language plpgsql as $$
begin
  if not notes_recent_changes() then
    return null;
  end if;
  if tg_op = 'INSERT' or new.version is distinct from old.version then
    insert into recent_changes (kind, subject_id) values ('user', new.id);
  end if;
  if tg_op = 'UPDATE' and (old.api_key, old.role, old.is_active, old.email, old.delivery_email)
       is distinct from (new.api_key, new.role, new.is_active, new.email, new.delivery_email) then
    insert into recent_changes (kind, subject_id) values ('identity', new.id);
  end if;
  return null;
end $$;
create trigger recent_account after insert or update on accounts
  for each row execute function note_recent_account();

-- Failed password attempts within the window, by user name: they slow down guessing.
create table password_attempts (
  realm_id integer not null,
  username text not null,
  attempted_at timestamptz(3)[] not null,
  primary key (realm_id, username)
);

-- Changes of e-mail addresses that wait for confirmation, and closed ones of the last day. Both count against the limit
-- of requests.
create table email_changes (
  id bigint generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  new_email text not null,
  -- SHA-256 of the key in the link, so that nobody learns a key from the table.
  key_hash bytea not null unique,
  requested_at timestamptz(3) not null,
  -- Until it is used or superseded.
  is_open boolean not null default true
);
create index email_changes_account on email_changes (account_id, requested_at);

-- Requested password resets, by the SHA-256 of the key in the mail.
create table password_resets (
  key_hash bytea primary key,
  account_id integer not null references accounts,
  -- SHA-256 of the password's hash and the address: the reset is void once either changes.
  account_state bytea not null,
  expires_at timestamptz(3) not null
);
create index password_resets_account on password_resets (account_id);
create index password_resets_expiry on password_resets (expires_at);

-- Devices that apps have registered for notifications. A token may be longer than an index entry can be; an account has
-- few devices, and changes of them wait for its row.
create table push_devices (
  id bigint generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  service text not null check (service in ('apns', 'fcm')),
  token text not null,
  -- The app on an Apple device; null if the device sent none.
  app_id text,
  registered_at timestamptz(3) not null default clock_timestamp()
);
create index push_devices_account on push_devices (account_id, id);

-- Bots ---------------------------------------------------------------------------------------------------------------

-- Details of bots.
create table bots (
  user_id integer primary key references accounts,
  -- The default channels. The names are those last published to the managers of the bot: null while its owner can't see
  -- the channel. A name without an ID is no default; the next comparison of names removes it.
  default_sending_stream_id integer,
  default_sending_stream text,
  default_events_register_stream_id integer,
  default_events_register_stream text,
  default_all_public_streams boolean not null default false,
  -- Of an outgoing webhook: its URL, the token that it receives, and the format (1 generic, 2 Slack).
  payload_url text,
  service_token text,
  service_interface smallint,
  -- Configuration by the managers of the bot: strings by key.
  config_data jsonb not null default '{}'
);
-- Few bots have default channels, and all of those are compared periodically.
create index bots_with_default_channels on bots (user_id)
  where coalesce(default_sending_stream_id, default_events_register_stream_id) is not null
     or coalesce(default_sending_stream, default_events_register_stream) is not null;

-- Key-value storage of bots. A value may have a megabyte, the limit of a request; the sum of a bot's characters is read
-- from the index alone.
create table bot_storage (
  user_id integer not null references accounts on delete cascade,
  key text collate "C" not null,
  value text not null,
  characters integer not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (user_id, key) include (characters)
);

-- User groups --------------------------------------------------------------------------------------------------------

-- Groups that users created. System groups follow from roles, have no rows, and have IDs below 100. Changes of an
-- organization's groups wait for each other, so the members are in the row.
create table user_groups (
  id integer generated by default as identity (start with 100) primary key,
  realm_id integer not null,
  name text not null,
  -- The name with its case folded by the service, by which it is unique and mentioned.
  name_key text not null,
  description text not null,
  member_ids integer[] not null,
  -- May contain system groups.
  subgroup_ids integer[] not null,
  -- Null if the archive that the group comes from doesn't say.
  creator_id integer,
  created_at timestamptz(3),
  -- By name: a group's ID, or {"direct_members", "direct_subgroups"}.
  permissions jsonb not null,
  -- Grows with every change; see userGroupProjection in the contracts.
  version integer not null default 1,
  unique (realm_id, name_key)
);

create function note_recent_group() returns trigger language plpgsql as $$
begin
  if not notes_recent_changes() then
    return null;
  end if;
  insert into recent_changes (kind, subject_id)
  values ('group', case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end $$;
create trigger recent_group after insert or update or delete on user_groups
  for each row execute function note_recent_group();

-- Members who are not in the system group of full members yet, as last published to clients; every other member is.
-- Stored, because a waiting period ends without an event.
create table waiting_members (
  user_id integer primary key references accounts,
  realm_id integer not null
);

-- Invitations --------------------------------------------------------------------------------------------------------

-- Open invitations by mail. Accepted and revoked ones are deleted, expired ones a while later.
create table invitations (
  id integer generated always as identity primary key,
  realm_id integer not null,
  email text not null,
  email_lower text not null generated always as (lower(email)) stored,
  creator_id integer not null references accounts,
  invited_as smallint not null,
  channel_ids integer[] not null,
  with_default_channels boolean not null,
  notify_creator boolean not null,
  -- When it was last sent.
  invited_at timestamptz(3) not null,
  -- Null means never.
  expires_at timestamptz(3)
);
create index invitations_realm on invitations (realm_id, id);
create index invitations_email on invitations (email_lower, realm_id);
create index invitations_creator on invitations (creator_id);
create index invitations_expiry on invitations (expires_at);

-- The keys in an invitation's mails, as SHA-256: the mail and its reminder have one each.
create table invitation_keys (
  key_hash bytea primary key,
  invitation_id integer not null references invitations on delete cascade
);
create index invitation_keys_invitation on invitation_keys (invitation_id);

-- Open reusable links. Their creators can see them again, so the keys themselves are stored.
create table invitation_links (
  id integer generated always as identity primary key,
  realm_id integer not null,
  key text not null unique,
  creator_id integer not null references accounts,
  invited_as smallint not null,
  channel_ids integer[] not null,
  with_default_channels boolean not null,
  invited_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create index invitation_links_realm on invitation_links (realm_id, id);
create index invitation_links_creator on invitation_links (creator_id);
create index invitation_links_expiry on invitation_links (expires_at);

-- Addresses that must confirm a sign-up, by the SHA-256 of the key in the mail.
create table address_confirmations (
  key_hash bytea primary key,
  realm_id integer not null,
  email text not null,
  -- The reusable link, whose revocation deletes the row; null if no invitation is needed.
  link_id integer references invitation_links on delete cascade,
  expires_at timestamptz(3) not null
);
create index address_confirmations_link on address_confirmations (link_id);
create index address_confirmations_expiry on address_confirmations (expires_at);

-- Invitations sent on a day (UTC): by one organization (`realm 7`), and by all new ones together (`new realms`).
create table invitation_counts (
  counter text not null,
  day date not null,
  sent integer not null,
  primary key (counter, day)
);

-- Mails of the last day that were requested without an account, by the limit that they count against.
create table mail_requests (
  subject text primary key,
  requested_at timestamptz(3)[] not null
);

-- What guests may see ------------------------------------------------------------------------------------------------

-- Users that guests may see besides themselves and bots, as published by messaging, in organizations that restrict it.
-- Rows apply only to current guests: when a user becomes one, messaging publishes all their rows again.
create table guest_visibility (
  guest_id integer not null,
  visible_user_id integer not null,
  primary key (guest_id, visible_user_id)
);

-- Organizations for which messaging has published a change: whether they restrict what guests see, and the number of the
-- last applied change.
create table guest_visibility_policies (
  realm_id integer primary key,
  is_limited boolean not null default false,
  last_change_number bigint not null
);
