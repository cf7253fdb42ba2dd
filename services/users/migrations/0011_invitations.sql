-- Up Migration

-- Open invitations by mail: accepted and revoked ones are deleted, expired ones a while later.
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
  -- Null never.
  expires_at timestamptz(3)
);
create index invitations_realm on invitations (realm_id, id);
create index invitations_email on invitations (email_lower, realm_id);
create index invitations_creator on invitations (creator_id);
create index invitations_expiry on invitations (expires_at);

-- Keys that mails of an invitation carry, as SHA-256: the mail and its reminder have one each.
create table invitation_keys (
  key_hash bytea primary key,
  invitation_id integer not null references invitations on delete cascade
);
create index invitation_keys_invitation on invitation_keys (invitation_id);

-- Open links, which anyone may use. They are shown again to whoever made them, so their keys stand here.
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

-- Addresses that were asked to confirm that they are someone's, by the SHA-256 of the key in the mail.
create table address_confirmations (
  key_hash bytea primary key,
  realm_id integer not null,
  email text not null,
  -- The link that was followed, which takes them along when it is revoked; null where no invitation is needed.
  link_id integer references invitation_links on delete cascade,
  expires_at timestamptz(3) not null
);
create index address_confirmations_link on address_confirmations (link_id);
create index address_confirmations_expiry on address_confirmations (expires_at);

-- Asked-for resets of passwords, by the SHA-256 of the key in the mail.
create table password_resets (
  key_hash bytea primary key,
  account_id integer not null references accounts,
  -- SHA-256 of the password's hash and the address, which void it when they change.
  account_state bytea not null,
  expires_at timestamptz(3) not null
);
create index password_resets_account on password_resets (account_id);
create index password_resets_expiry on password_resets (expires_at);

-- Invitations sent on a day (UTC): of an organization (`realm 7`), and of all new ones together (`new realms`).
create table invitation_counts (
  counter text not null,
  day date not null,
  sent integer not null,
  primary key (counter, day)
);

-- Mails that people without an account asked for in the last day, by what they are counted for.
create table mail_requests (
  subject text primary key,
  requested_at timestamptz(3)[] not null
);

-- Down Migration
drop table mail_requests;
drop table invitation_counts;
drop table password_resets;
drop table address_confirmations;
drop table invitation_links;
drop table invitation_keys;
drop table invitations;
