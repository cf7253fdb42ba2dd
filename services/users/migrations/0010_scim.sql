-- Up Migration

-- The token of an organization's provisioning system.
create table scim_tokens (
  realm_id integer primary key,
  token_hash bytea not null,
  created_at timestamptz not null,
  -- Null if an operator made it.
  creator_id integer
);

-- What a provisioning system says of people beside their accounts.
create table scim_accounts (
  account_id integer primary key references accounts on delete cascade,
  realm_id integer not null,
  external_id text,
  -- Null if it is the address.
  user_name text,
  user_name_lower text,
  -- The system deleted the person: unknown to it while the account is inactive.
  is_deleted boolean not null default false
);
create unique index scim_accounts_user_name on scim_accounts (realm_id, user_name_lower);
create index scim_accounts_external_id on scim_accounts (realm_id, external_id);

-- What a provisioning system says of user groups beside what they are.
create table scim_groups (
  group_id integer primary key references user_groups on delete cascade,
  realm_id integer not null,
  external_id text
);
create index scim_groups_realm on scim_groups (realm_id);

-- Down Migration

drop table scim_groups;
drop table scim_accounts;
drop table scim_tokens;
