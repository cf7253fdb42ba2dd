-- Up Migration

-- Workers that run jobs, and when their replica last said so. Those of the release before aren't in it: their jobs are theirs for
-- four hours.
create table job_workers (
  id text primary key,
  seen_at timestamptz not null
);

-- Down Migration

drop table job_workers;
