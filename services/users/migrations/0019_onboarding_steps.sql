-- Up Migration

-- One-time notices that an account has read, by name, in the order in which it has.
alter table accounts add column seen_onboarding_steps jsonb not null default '[]';

-- Down Migration
alter table accounts drop column seen_onboarding_steps;
