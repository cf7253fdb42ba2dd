-- Up Migration

-- Without a transaction: the table is large, and is written to meanwhile.
create index concurrently if not exists known_users_changed_alert_words on known_users (realm_id, alert_words_xid)
  where alert_words_xid is not null;

-- Down Migration
drop index known_users_changed_alert_words;
