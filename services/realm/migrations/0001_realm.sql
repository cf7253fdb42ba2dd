-- Up Migration

-- Organizations. Policies that services enforce are columns, since they travel as facts; settings that only
-- clients read so far are in `settings`, which holds what differs from the defaults (src/realms/realm-settings.ts).
create table realms (
  id integer generated always as identity primary key,
  -- Subdomain; empty for the installation's default organization.
  string_id text not null unique,
  name text not null,
  description text not null default '',
  url text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  mandatory_topics boolean not null default false,
  waiting_period_threshold integer not null default 0,
  create_public_stream_policy smallint not null default 1,
  create_private_stream_policy smallint not null default 1,
  create_web_public_stream_policy smallint not null default 7,
  invite_to_stream_policy smallint not null default 1,
  wildcard_mention_policy smallint not null default 5,
  private_message_policy smallint not null default 1,
  settings jsonb not null default '{}',
  -- Grows with every change; see realmFacts in the contracts.
  version integer not null default 1
);

-- Down Migration
drop table realms;
