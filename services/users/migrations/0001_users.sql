-- Up Migration

-- People and bots. Addresses compare without regard to case; the lower-case copies exist so that they can be
-- looked up by an index. They come first in their indexes: signing in asks for an address in any organization.
create table accounts (
  id integer generated always as identity primary key,
  realm_id integer not null,
  -- The API e-mail: the delivery e-mail where everyone may see that, else an address made from the ID.
  email text not null,
  email_lower text not null generated always as (lower(email)) stored,
  delivery_email text not null,
  delivery_email_lower text not null generated always as (lower(delivery_email)) stored,
  full_name text not null,
  -- argon2id; null for an account that can't sign in with a password.
  password_hash text,
  api_key text not null unique,
  role smallint not null,
  is_active boolean not null default true,
  is_bot boolean not null default false,
  bot_type smallint,
  bot_owner_id integer references accounts,
  timezone text not null default '',
  date_joined timestamptz(3) not null default now(),
  -- G: gravatar; U: uploaded.
  avatar_source text not null default 'G',
  avatar_version integer not null default 1,
  -- 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
  email_address_visibility smallint not null default 1,
  -- Only settings that differ from their defaults (src/settings/user-settings.ts).
  settings jsonb not null default '{}',
  -- Grows with every change; see userFacts in the contracts.
  version integer not null default 1,
  unique (email_lower, realm_id),
  unique (delivery_email_lower, realm_id)
);
create index accounts_realm on accounts (realm_id, id);

-- Password attempts of the last window by user name, right ones removed: what slows guessing down.
create table password_attempts (
  realm_id integer not null,
  username text not null,
  attempted_at timestamptz(3)[] not null,
  primary key (realm_id, username)
);

-- What users keeps of organizations, fed by domain events and read through on a miss. `version` settles which
-- fact is newer, whatever order they arrive in.
create table known_realms (
  realm_id integer primary key,
  string_id text not null,
  name text not null,
  url text not null,
  is_active boolean not null,
  mandatory_topics boolean not null,
  waiting_period_threshold integer not null,
  create_public_stream_policy smallint not null,
  create_private_stream_policy smallint not null,
  create_web_public_stream_policy smallint not null,
  invite_to_stream_policy smallint not null,
  wildcard_mention_policy smallint not null,
  private_message_policy smallint not null,
  version integer not null
);
create index known_realms_string_id on known_realms (string_id);

-- Down Migration
drop table known_realms;
drop table password_attempts;
drop table accounts;
