-- Up Migration

create extension if not exists pg_trgm;

-- Down Migration

drop extension if exists pg_trgm;
