-- Up Migration

-- The deliveries of a bot that wait, in their order.
-- Without a transaction: the table may be large.
create index concurrently if not exists waiting_webhook_deliveries on webhook_deliveries (bot_id, id) where outcome = 'waiting';

-- Down Migration

drop index concurrently if exists waiting_webhook_deliveries;
