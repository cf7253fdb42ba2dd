-- Up Migration

-- People at providers (OpenID Connect and the like) with the account that they sign in to.
create table external_identities (
  realm_id integer not null,
  account_id integer not null references accounts on delete cascade,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null default now(),
  primary key (realm_id, issuer, subject)
);
-- Another person of the same provider doesn't get the account, though they have its address by now.
create unique index external_identities_account on external_identities (account_id, issuer);

-- Down Migration

drop table external_identities;
