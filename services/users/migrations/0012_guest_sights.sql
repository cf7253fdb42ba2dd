-- Up Migration

-- Whom guests see besides themselves and bots, as messaging has told it, in organizations that limit it. It says
-- something of those who are guests now: whoever becomes one is told of anew.
create table guest_sights (
  guest_id integer not null,
  seen_id integer not null,
  primary key (guest_id, seen_id)
);

-- Organizations of which messaging has told something: whether guests' sight is limited, and up to which of its
-- changes all have been taken.
create table guest_sight_policies (
  realm_id integer primary key,
  is_limited boolean not null default false,
  taken bigint not null
);

-- Down Migration
drop table guest_sight_policies, guest_sights;
