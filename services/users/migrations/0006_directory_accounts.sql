-- Up Migration

-- Accounts whose people a directory (LDAP) knows: it decides about their passwords.
create table directory_accounts (
  account_id integer primary key references accounts on delete cascade,
  realm_id integer not null,
  -- Its name in the operator's settings.
  directory text not null
);
create index directory_accounts_realm on directory_accounts (realm_id);

-- Down Migration

drop table directory_accounts;
