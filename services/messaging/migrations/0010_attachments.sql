-- Up Migration

-- Files that users uploaded. The bytes are in the blob store.
create table attachments (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  owner_id bigint not null,
  -- The URL without /user_uploads/, which begins with the realm.
  path_id text not null unique,
  -- As it was called where it came from.
  name text not null,
  content_type text not null,
  size bigint not null,
  created_at timestamptz not null default now(),
  -- Since when nothing links it; null while something does.
  unused_since timestamptz default now()
);
create index attachments_of_owner on attachments (owner_id, id);
create index attachments_unused on attachments (unused_since) where unused_since is not null;

-- Which messages link a file. A message can't be deleted before its files were released.
create table attachment_messages (
  attachment_id bigint not null references attachments,
  message_id bigint not null references messages,
  primary key (attachment_id, message_id)
);
create index attachment_messages_of_message on attachment_messages (message_id);

create table attachment_scheduled_messages (
  attachment_id bigint not null references attachments,
  scheduled_message_id bigint not null,
  primary key (attachment_id, scheduled_message_id)
);
create index attachment_scheduled_messages_of_message on attachment_scheduled_messages (scheduled_message_id);

-- The sum of an organization's files. Its row is the last that a change of files locks.
create table upload_space (
  realm_id bigint primary key,
  bytes bigint not null
);

-- Blobs that are to go: those of deleted files, and until it is stored, the one of an upload. Committed before
-- the blob can be there, so none is ever left that nobody knows of.
create table doomed_blobs (
  name text primary key,
  delete_after timestamptz not null
);
create index doomed_blobs_due on doomed_blobs (delete_after);

-- Down Migration
drop table doomed_blobs, upload_space, attachment_scheduled_messages, attachment_messages, attachments;
