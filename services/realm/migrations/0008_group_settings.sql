-- Up Migration

-- Settings that name a group, by their name, where that isn't the group that the policy beside it amounts to. Releases
-- without them write the policies alone: a policy that doesn't fit its group is the newer of both.
alter table realms add column group_settings jsonb not null default '{}';

-- Down Migration
alter table realms drop column group_settings;
