-- Up Migration

-- The list of people, of which administrators read one page.
-- Without a transaction: large installations have many accounts.
create index concurrently if not exists accounts_people
  on accounts (realm_id, is_active, lower(full_name), id) where not is_bot;

-- Down Migration

drop index concurrently if exists accounts_people;
