-- Up Migration

-- Without a transaction: the table is large.
-- Most entries are about users, and are soon found without an index.
create index concurrently if not exists audit_log_rare_target_type_idx on audit_log (realm_id, target_type, id)
  where target_type <> 'user';

-- Down Migration

drop index audit_log_rare_target_type_idx;
