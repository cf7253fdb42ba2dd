-- Up Migration

-- Whether users fill the field in themselves; if not, administrators do.
alter table profile_fields add column is_editable_by_user boolean not null default true;

-- Down Migration

alter table profile_fields drop column is_editable_by_user;
