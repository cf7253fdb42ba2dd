-- Up Migration

-- Organizations that are being imported, or were and have not been opened yet: those alone an import may be undone of.
create table unopened_imports (
  realm_id bigint primary key
);

-- Down Migration
drop table unopened_imports;
