-- Up Migration

-- A deactivated group keeps its name, members and permissions, but can't be mentioned and gives no permission.
alter table user_groups add column is_deactivated boolean not null default false;

-- Down Migration

alter table user_groups drop column is_deactivated;
