-- Up Migration

-- By the ID of the field: {"value", "rendered_value"}. Every record of a user carries all of it.
alter table accounts add column profile_data jsonb not null default '{}';
-- Facts of organizations have their profile fields; what is missing is asked for anew.
delete from known_realms;

-- Down Migration
alter table accounts drop column profile_data;
