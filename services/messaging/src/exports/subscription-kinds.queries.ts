import type { ExportScope } from '@tms/contracts'
import { caseKey } from '../kernel/text/case-key.ts'
import { palette } from '../subscriptions/color.rules.ts'
import type { RecordKind } from './record-kind.ts'
import {
  andConsents,
  andExported,
  isChannel,
  isUser,
  listOfRanges,
  rangesOfList,
  secondsOf,
  withConsent,
} from './record-parts.queries.ts'

const NOTIFICATIONS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

const PERSONAL_COLUMNS = `
  s.is_active or s.is_in_archive as is_active, s.was_subscribed, ${listOfRanges('s.received')} as received, ${listOfRanges('s.read')} as read, s.color,
  s.is_muted, s.pin_to_top, ${NOTIFICATIONS.map((name) => `s.${name}`).join(', ')}`

/** As if the users had just subscribed: what they received and read, and their settings, are personal. */
const ANONYMOUS_COLUMNS = `
  true as is_active, true as was_subscribed, json_build_array(json_build_array(r.last_message_id + 1, null)) as received,
  '[]'::json as read, ('{${palette.join(',')}}'::text[])[1 + s.channel_id % ${palette.length}] as color,
  false as is_muted, false as pin_to_top, ${NOTIFICATIONS.map((name) => `null::boolean as ${name}`).join(', ')}`

const selectSubscriptions = (columns: string, condition: string): string => `
    select s.channel_id as stream_id, s.user_id, ${columns}
      from channels c
      join recipients r on r.id = c.recipient_id
      join subscriptions s on s.channel_id = c.id
     where c.realm_id = $1
       ${condition}`

const CONSENTED = 's.user_id in (select user_id from consenting)'

/** SQL: the subscriptions in the export. */
const subscriptionsIn: Readonly<Record<ExportScope, string>> = {
  public: selectSubscriptions(
    ANONYMOUS_COLUMNS,
    'and not c.invite_only and (s.is_active or s.is_in_archive)',
  ),
  consent: `
    ${selectSubscriptions(PERSONAL_COLUMNS, `${andExported('consent', 'r.id')} and ${CONSENTED}`)}
     union all
    ${selectSubscriptions(ANONYMOUS_COLUMNS, `${andExported('consent', 'r.id')} and (s.is_active or s.is_in_archive) and not ${CONSENTED}`)}`,
  full: selectSubscriptions(PERSONAL_COLUMNS, ''),
}

export const subscriptionKind: RecordKind<'subscription'> = {
  kind: 'subscription',
  isPersonal: false,
  list: (scope) => `${withConsent(scope)} ${subscriptionsIn[scope]} order by stream_id, user_id`,
  columns: `
    stream_id bigint, user_id bigint, is_active boolean, was_subscribed boolean, received jsonb, read jsonb, color text,
    is_muted boolean, pin_to_top boolean, ${NOTIFICATIONS.map((name) => `${name} boolean`).join(', ')}`,
  belongsToRealm: `${isChannel('imported.stream_id')} and ${isUser('imported.user_id')}`,
  store: `
  inserted as (
    insert into subscriptions (
             channel_id, user_id, is_active, is_in_archive, was_subscribed, received, read, color, is_muted, pin_to_top,
             ${NOTIFICATIONS.join(', ')})
    select stream_id, user_id, is_active and not is_archived, is_active and is_archived, was_subscribed, ${rangesOfList('received')}, ${rangesOfList('read')}, color,
           is_muted, pin_to_top, ${NOTIFICATIONS.join(', ')}
      from valid
      join (select id, is_archived from channels) channel on channel.id = stream_id
  )`,
}

export const userTopicKind: RecordKind<'user_topic'> = {
  kind: 'user_topic',
  isPersonal: true,
  list: (scope) => `${withConsent(scope)}
    select t.channel_id as stream_id, t.user_id, t.topic_name, t.visibility_policy,
           ${secondsOf('t.updated_at')} as last_updated
      from channels c
      join user_topics t on t.channel_id = c.id
     where c.realm_id = $1
       ${andExported(scope, 'c.recipient_id')}
       ${andConsents(scope, 't.user_id')}
     order by t.channel_id, t.user_id, t.topic_key`,
  columns: `
    stream_id bigint, user_id bigint, topic_name text, topic_key text, visibility_policy smallint, last_updated float8`,
  belongsToRealm: `${isChannel('imported.stream_id')} and ${isUser('imported.user_id')}`,
  store: `
  inserted as (
    insert into user_topics (channel_id, user_id, topic_key, topic_name, visibility_policy, updated_at)
    select stream_id, user_id, topic_key, topic_name, visibility_policy, to_timestamp(last_updated)
      from valid
  )`,
  derive: ({ topic_name }) => ({ topic_key: caseKey(topic_name) }),
}
