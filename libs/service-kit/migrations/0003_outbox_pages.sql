-- Up Migration

-- PostgreSQL plans by the pages of a table. The outbox is empty most of the time, and right after a vacuum had given its pages
-- back, each claim was planned to scan all of it, three times: through all that has been inserted until the next vacuum, 20 MB
-- after ten seconds of load. So it keeps its pages, and has enough from the beginning (32) that its indexes cost less.
alter table outbox set (vacuum_truncate = off);
alter table audit_outbox set (vacuum_truncate = off);
insert into outbox (event, realm_id, payload) select '', 0, repeat('x', 1900) from generate_series(1, 128);
-- Safe while the release before runs: only rows of this migration are deleted, which nobody else has seen.
delete from outbox where event = '';
insert into audit_outbox (body) select repeat('x', 1900) from generate_series(1, 128);
-- Safe while the release before runs: likewise.
delete from audit_outbox where body = repeat('x', 1900);

-- Down Migration

alter table outbox reset (vacuum_truncate);
alter table audit_outbox reset (vacuum_truncate);
