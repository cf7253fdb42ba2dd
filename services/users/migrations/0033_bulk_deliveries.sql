-- Up Migration

-- What goes to many at once, such as a mention of everyone: direct messages and mentions by name go before it.
alter table push_deliveries add column is_bulk boolean not null default false;

-- Down Migration

alter table push_deliveries drop column is_bulk;
