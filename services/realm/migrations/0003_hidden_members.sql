-- Up Migration

-- Users that permissions name and who are deactivated, as last published: clients don't see them there.
alter table realms add column hidden_member_ids integer[] not null default '{}';

-- Down Migration

alter table realms drop column hidden_member_ids;
