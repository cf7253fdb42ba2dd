-- Up Migration

-- A projection of the groups that people made. What is gone stays as a mark, so that older news doesn't bring it back.
create table known_groups (
  group_id bigint primary key,
  realm_id bigint not null,
  name text not null,
  name_key text not null,
  member_ids bigint[] not null,
  subgroup_ids bigint[] not null,
  -- A group's ID, or {"direct_members", "direct_subgroups"}.
  can_mention_group jsonb not null,
  is_deleted boolean not null,
  version bigint not null
);
create index known_groups_name on known_groups (realm_id, name_key) where not is_deleted;

-- Down Migration
drop table known_groups;
