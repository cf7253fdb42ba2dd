-- Up Migration

-- Uploads in parts that have begun and neither ended nor run out. `parts` are the blobs of what has arrived, in their
-- order; their deletion is scheduled when they are stored. A part is added under the condition that `received` is what
-- it follows, so of two that follow the same one is dropped.
create table resumable_uploads (
  id text primary key,
  realm_id bigint not null,
  owner_id bigint not null,
  -- As the client sent them.
  name text not null,
  content_type text not null,
  length bigint not null,
  received bigint not null default 0,
  parts text[] not null default '{}',
  expires_at timestamptz not null
);
create index resumable_uploads_of_owner on resumable_uploads (owner_id);
create index resumable_uploads_expiry on resumable_uploads (expires_at);

-- Down Migration

drop table resumable_uploads;
