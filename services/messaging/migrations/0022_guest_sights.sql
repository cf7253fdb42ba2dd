-- Up Migration

-- Whether it has been told that the organization's guests see only some people. Changes in the transaction that tells
-- whom all of them see.
alter table known_realms add column told_limited boolean not null default false;
create index known_users_guests on known_users (realm_id, user_id) where told_role = 600;

-- Changes of whom guests see that users has not been told of yet. Those of an organization are written under a lock
-- that is held to the commit, so their IDs are in the order of their commits.
create table guest_sight_changes (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  request_id text,
  change text not null
);

-- Down Migration
drop table guest_sight_changes;
drop index known_users_guests;
alter table known_realms drop column told_limited;
