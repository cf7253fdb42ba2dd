-- Up Migration

-- The default channels of bots, by the IDs that they keep when they are renamed. The names beside them are what those
-- who manage a bot have been told last: null while its owner doesn't see the channel.
--
-- A name that has no ID was typed before there were any. It may be another channel's by now, and which it was meant
-- for nobody knows here: such a bot has no default, and the next look at the names tells so, as it tells every other change.
alter table bots
  add column default_sending_stream_id integer,
  add column default_events_register_stream_id integer;

-- Few bots have any; all of them are looked at again and again.
create index bots_with_default_channels on bots (user_id)
  where coalesce(default_sending_stream_id, default_events_register_stream_id) is not null
     or coalesce(default_sending_stream, default_events_register_stream) is not null;

-- Down Migration
drop index bots_with_default_channels;
alter table bots
  drop column default_sending_stream_id,
  drop column default_events_register_stream_id;
