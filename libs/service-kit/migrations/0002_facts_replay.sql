-- Up Migration

-- At most one row: what an operator has asked for last, to compare what is kept of other services' facts with what
-- they are, and how far that is. A new wish takes the place of the old one (`id` tells them apart); the replica with the
-- lease works on it, and another goes on from `progress` when that one dies.
create table facts_replay (
  is_only boolean primary key default true check (is_only),
  id uuid not null,
  -- The last entry of the stream of facts when it was asked for; nothing begins before this is applied.
  end_offset bigint not null,
  -- {"next": offset} while the log says what to look at, {"kind", "after"} while everything is looked at.
  progress jsonb not null,
  checked bigint not null default 0,
  mended bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  leased_until timestamptz not null default '-infinity'
);

-- Down Migration
drop table facts_replay;
