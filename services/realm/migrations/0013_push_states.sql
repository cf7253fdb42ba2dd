-- Up Migration

-- What the push relay service says about an organization, while the installation uses one: whether it sends
-- notifications, and when it stops to, in UNIX seconds.
alter table realms
  add column is_push_refused boolean not null default false,
  add column push_end integer;

-- Down Migration

alter table realms drop column push_end;
alter table realms drop column is_push_refused;
