-- Up Migration

-- What was taken last of the picture in somebody's directory entry.
alter table directory_accounts
  add column entry_version text,
  add column avatar_hash text,
  add column avatar_file text;

-- Down Migration

alter table directory_accounts
  drop column entry_version,
  drop column avatar_hash,
  drop column avatar_file;
