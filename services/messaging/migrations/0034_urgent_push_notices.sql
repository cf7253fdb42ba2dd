-- Up Migration

-- Safe while the release before runs: the index in order does for its query too.
drop index push_notices_urgent;

-- Down Migration

create index push_notices_urgent on push_notices (attempt_at)
  where trigger is null or trigger in ('direct_message', 'mentioned');
