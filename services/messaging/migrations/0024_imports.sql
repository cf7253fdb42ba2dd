-- Up Migration

-- Organizations that are being imported, or were and have not been opened yet: those alone an import may be undone of.
create table unopened_imports (
  realm_id bigint primary key
);

-- A file of an import is found by its blob's name, which is the beginning of its path ID.
create index attachments_path on attachments (path_id text_pattern_ops);

-- Down Migration
drop index attachments_path;
drop table unopened_imports;
