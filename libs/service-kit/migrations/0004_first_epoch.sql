-- Up Migration

-- The epoch of leases in which the service was started on this database for the first time. No lease from before can hold any of its
-- data, not even that there was none. Null before that start; empty if the epoch isn't known.
alter table recent_changes_horizon add column first_epoch text;
-- Safe while the release before runs: it doesn't know the column.
update recent_changes_horizon set first_epoch = '' where (select token from outbox_relay) > 0;

-- Down Migration

alter table recent_changes_horizon drop column first_epoch;
