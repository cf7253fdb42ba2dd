-- Up Migration

-- Since when nothing has reached a device; null if the last attempt did.
alter table push_devices add column failing_since timestamptz(3);
-- Whether a notice stood for all that follow within the hour.
alter table push_hand_overs add column is_summary boolean not null default false;

-- Down Migration

alter table push_hand_overs drop column is_summary;
alter table push_devices drop column failing_since;
