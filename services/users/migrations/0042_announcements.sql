-- Up Migration

-- Mails of operators to users of an organization.
create table announcements (
  id integer generated always as identity primary key,
  realm_id integer not null,
  -- Of subject and text: an announcement that is repeated goes to nobody again.
  content_hash bytea not null,
  subject text not null,
  content text not null,
  is_markdown boolean not null,
  created_at timestamptz(3) not null,
  unique (realm_id, content_hash)
);
create index announcements_age on announcements (created_at);

-- Users for which they were queued.
create table announcement_recipients (
  announcement_id integer not null references announcements on delete cascade,
  user_id integer not null,
  primary key (announcement_id, user_id)
);

-- Down Migration

drop table announcement_recipients;
drop table announcements;
