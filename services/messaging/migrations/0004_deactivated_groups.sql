-- Up Migration

alter table known_groups add column is_deactivated boolean not null default false;

-- Down Migration

alter table known_groups drop column is_deactivated;
