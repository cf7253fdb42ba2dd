-- Up Migration

-- Whether a new user was subscribed to the first channels and welcomed: by the call of users, or else by the event. Of those who are
-- there already nobody asks.
alter table known_users add column is_received boolean not null default false;

-- Down Migration
alter table known_users drop column is_received;
