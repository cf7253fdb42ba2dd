-- Up Migration

-- A cast rounds: a channel of the last half second was created in the future.
create or replace view channel_records as
  select channels.id as stream_id,
         channels.realm_id,
         channels.is_archived,
         channels.is_default,
         channels.name,
         channels.description,
         channels.rendered_description,
         floor(extract(epoch from channels.created_at))::bigint as date_created,
         channels.creator_id,
         recipients.first_message_id,
         channels.invite_only,
         channels.is_web_public,
         channels.history_public_to_subscribers,
         channels.stream_post_policy,
         channels.message_retention_days,
         channels.can_remove_subscribers_group,
         channels.stream_post_policy = 2 as is_announcement_only,
         case
           when channels.created_at <= now() - interval '7 days' then coalesce(channel_traffic.weekly_messages, 0)
         end as stream_weekly_traffic
    from channels
    join recipients on recipients.id = channels.recipient_id
    left join channel_traffic on channel_traffic.channel_id = channels.id;

-- Down Migration
create or replace view channel_records as
  select channels.id as stream_id,
         channels.realm_id,
         channels.is_archived,
         channels.is_default,
         channels.name,
         channels.description,
         channels.rendered_description,
         extract(epoch from channels.created_at)::bigint as date_created,
         channels.creator_id,
         recipients.first_message_id,
         channels.invite_only,
         channels.is_web_public,
         channels.history_public_to_subscribers,
         channels.stream_post_policy,
         channels.message_retention_days,
         channels.can_remove_subscribers_group,
         channels.stream_post_policy = 2 as is_announcement_only,
         case
           when channels.created_at <= now() - interval '7 days' then coalesce(channel_traffic.weekly_messages, 0)
         end as stream_weekly_traffic
    from channels
    join recipients on recipients.id = channels.recipient_id
    left join channel_traffic on channel_traffic.channel_id = channels.id;
