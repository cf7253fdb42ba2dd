-- Up Migration

-- The user groups that the invited user joins; those deleted meanwhile don't count.
alter table invitations add column group_ids integer[] not null default '{}';
alter table invitation_links add column group_ids integer[] not null default '{}';

-- Down Migration

alter table invitation_links drop column group_ids;
alter table invitations drop column group_ids;
