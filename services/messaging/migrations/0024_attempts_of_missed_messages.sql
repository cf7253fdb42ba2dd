-- Up Migration

-- How often a replica began to hand a batch over, also if the replica died.
alter table missed_message_batches add column attempts integer not null default 0;

-- Down Migration

alter table missed_message_batches drop column attempts;
