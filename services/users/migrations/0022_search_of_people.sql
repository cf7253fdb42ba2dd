-- Up Migration

-- Finds people by parts of their names and addresses; not by addresses that even administrators don't see.
-- Without a transaction: large installations have many accounts.
create index concurrently if not exists accounts_search
  on accounts using gin (
    lower(full_name || ' ' || case when email_address_visibility = 4 then '' else delivery_email end) gin_trgm_ops)
  where not is_bot;

-- Down Migration

drop index concurrently if exists accounts_search;
