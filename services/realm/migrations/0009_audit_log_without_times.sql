-- Up Migration

-- `audit_log_ranges` finds entries by time.
-- Safe while the release before runs: it finds the same entries without the index, as it did for most times.
drop index audit_log_at_idx;
-- Safe while the release before runs: it reads entries of users, which most are, by their ID.
drop index audit_log_target_type_idx;

-- Down Migration

create index audit_log_at_idx on audit_log (realm_id, at);
create index audit_log_target_type_idx on audit_log (realm_id, target_type, id) where target_type is not null;
