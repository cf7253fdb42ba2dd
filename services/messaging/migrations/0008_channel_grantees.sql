-- Up Migration

-- The weakest role that sees or reads a private channel by a permission, as last published; 0 if none does.
alter table channels add column viewer_role smallint not null default 0;
alter table channels add column reader_role smallint not null default 0;
-- Whether full members are among the users that such a permission names: who they are changes with time.
alter table channels add column admits_full_members boolean not null default false;

-- Users who see a private channel by a permission that names them, or a custom group that they are in, as last published:
-- events fit the state that register returned. Guests among them see nothing.
create table channel_grantees (
  channel_id bigint not null references channels on delete cascade,
  user_id bigint not null,
  -- By a permission that lets them read it too.
  is_reader boolean not null,
  primary key (channel_id, user_id)
);
create index channel_grantees_user on channel_grantees (user_id, channel_id);

-- Who administers a channel was the only such permission. Custom groups follow, since they are all pending.
insert into channel_grantees (channel_id, user_id, is_reader)
select channels.id, member.user_id::bigint, false
  from channels
 cross join lateral jsonb_array_elements(permissions -> 'can_administer_channel_group' -> 'direct_members') as member (user_id)
 where invite_only
   and jsonb_typeof(permissions -> 'can_administer_channel_group') = 'object';

-- Safe while the release before runs: it doesn't know the column, and few channels are private and given to a system group.
update channels
   set viewer_role = system_group.role,
       admits_full_members = system_group.id = '4'
  from (values ('1'::jsonb, 100), ('2', 200), ('3', 300), ('4', 300), ('5', 400)) as system_group (id, role)
 where invite_only
   and permissions -> 'can_administer_channel_group' = system_group.id;

-- The release before creates channels without the new permissions, which nobody has then.
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
         channels.permissions -> 'can_administer_channel_group' as can_administer_channel_group,
         channels.permissions -> 'can_send_message_group' as can_send_message_group,
         post_policy.stream_post_policy,
         channels.message_retention_days,
         channels.permissions -> 'can_remove_subscribers_group' as can_remove_subscribers_group,
         post_policy.stream_post_policy = 2 as is_announcement_only,
         case
           when channels.created_at <= now() - interval '7 days' then coalesce(channel_traffic.weekly_messages, 0)
         end as stream_weekly_traffic,
         channels.is_recently_active,
         coalesce(channels.permissions -> 'can_add_subscribers_group', '8') as can_add_subscribers_group,
         coalesce(channels.permissions -> 'can_subscribe_group', '8') as can_subscribe_group,
         channels.viewer_role,
         channels.reader_role
    from channels
    join recipients on recipients.id = channels.recipient_id
    left join channel_traffic on channel_traffic.channel_id = channels.id
   -- The older form of can_send_message_group: 1 everyone, 2 administrators, 3 full members, 4 moderators.
   cross join lateral (
     select case channels.permissions -> 'can_send_message_group'
              when '2' then 2
              when '4' then 3
              when '3' then 4
              else 1
            end as stream_post_policy
   ) post_policy;

-- Whether the members of a group changed since it was published what they may see by their permissions on channels.
alter table known_groups add column is_access_pending boolean not null default true;

create function note_changed_access() returns trigger language plpgsql as $$
begin
  new.is_access_pending := true;
  return new;
end
$$;
create trigger note_changed_access
  before update of member_ids, subgroup_ids, is_deleted, is_deactivated on known_groups
  for each row
  when (new.member_ids <> old.member_ids or new.subgroup_ids <> old.subgroup_ids
        or new.is_deleted <> old.is_deleted or new.is_deactivated <> old.is_deactivated)
  execute function note_changed_access();

-- Down Migration

drop trigger note_changed_access on known_groups;
drop function note_changed_access;
alter table known_groups drop column is_access_pending;
drop view channel_records;
create view channel_records as
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
         channels.permissions -> 'can_administer_channel_group' as can_administer_channel_group,
         channels.permissions -> 'can_send_message_group' as can_send_message_group,
         post_policy.stream_post_policy,
         channels.message_retention_days,
         channels.permissions -> 'can_remove_subscribers_group' as can_remove_subscribers_group,
         post_policy.stream_post_policy = 2 as is_announcement_only,
         case
           when channels.created_at <= now() - interval '7 days' then coalesce(channel_traffic.weekly_messages, 0)
         end as stream_weekly_traffic,
         channels.is_recently_active
    from channels
    join recipients on recipients.id = channels.recipient_id
    left join channel_traffic on channel_traffic.channel_id = channels.id
   -- The older form of can_send_message_group: 1 everyone, 2 administrators, 3 full members, 4 moderators.
   cross join lateral (
     select case channels.permissions -> 'can_send_message_group'
              when '2' then 2
              when '4' then 3
              when '3' then 4
              else 1
            end as stream_post_policy
   ) post_policy;
drop table channel_grantees;
alter table channels drop column admits_full_members;
alter table channels drop column reader_role;
alter table channels drop column viewer_role;
