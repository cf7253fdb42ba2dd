-- Up Migration

-- The only channels that a token reaches, as an ascending list of IDs; null if it isn't limited to channels.
alter table api_tokens add column channel_ids jsonb;

-- Down Migration

-- What a token was limited to must not become more.
delete from api_tokens where channel_ids is not null;
alter table api_tokens drop column channel_ids;
