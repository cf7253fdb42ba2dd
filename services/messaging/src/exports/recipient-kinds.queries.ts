import type { ExportScope } from '@tms/contracts'
import { PERMISSIONS } from '../kernel/channels/channel.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import type { RecordKind } from './record-kind.ts'
import {
  andExported,
  areUsers,
  isUser,
  listOfRanges,
  rangesOfList,
  secondsOf,
  withConsent,
} from './record-parts.queries.ts'

const RECIPIENT_COLUMNS = 'recipient_id bigint, first_message_id bigint, last_message_id bigint'

const STORE_RECIPIENTS = `
  stored_recipients as (
    insert into recipients (id, realm_id, first_message_id, last_message_id)
    overriding system value
    select recipient_id, $1, first_message_id, last_message_id
      from valid
  )`

/** A channel without messages already has the ID of its first message reserved. */
const idsOfRecipient = (record: {
  recipient_id: number
  first_message_id: number | null
  last_message_id: number
}) => ({
  recipients_id_seq: record.recipient_id,
  message_ids: Math.max(record.first_message_id ?? 0, record.last_message_id),
})

export const channelKind: RecordKind<'channel'> = {
  kind: 'channel',
  isPersonal: false,
  list: (scope) => `${withConsent(scope)}
    select c.id as stream_id, c.recipient_id, r.first_message_id, r.last_message_id, c.name, c.description,
           c.rendered_description, ${secondsOf('c.created_at')} as date_created, c.creator_id, c.invite_only,
           c.is_web_public, c.history_public_to_subscribers, c.message_retention_days,
           ${PERMISSIONS} as permissions, c.is_default, c.is_archived
      from channels c
      join recipients r on r.id = c.recipient_id
     where c.realm_id = $1
       ${scope === 'public' ? 'and not c.invite_only' : ''}
       ${andExported(scope, 'c.recipient_id')}
     order by c.id`,
  columns: `
    stream_id bigint, ${RECIPIENT_COLUMNS}, name text, name_key text, description text, rendered_description text,
    date_created float8, creator_id bigint, invite_only boolean, is_web_public boolean,
    history_public_to_subscribers boolean, message_retention_days integer, permissions jsonb, is_default boolean, is_archived boolean`,
  belongsToRealm: `(imported.creator_id is null or ${isUser('imported.creator_id')})`,
  store: `${STORE_RECIPIENTS}, inserted as (
    insert into channels (
             id, realm_id, recipient_id, name, name_key, description, rendered_description, created_at, creator_id,
             invite_only, is_web_public, history_public_to_subscribers, message_retention_days, permissions, is_default, is_archived)
    overriding system value
    select stream_id, $1, recipient_id, name, name_key, description, rendered_description,
           to_timestamp(date_created), creator_id, invite_only, is_web_public, history_public_to_subscribers,
           message_retention_days, permissions, is_default, is_archived
      from valid
  )`,
  derive: ({ name }) => ({ name_key: caseKey(name) }),
  ids: (record) => ({ channels_id_seq: record.stream_id, ...idsOfRecipient(record) }),
}

/** SQL: what a member has read; of those who didn't consent everything, as if they had no unread messages. */
const readOfMember = (scope: ExportScope): string =>
  scope === 'consent'
    ? `case
         when member.user_id in (select user_id from consenting) then ${listOfRanges('m.read')}
         when r.last_message_id >= r.first_message_id
           then json_build_array(json_build_array(r.first_message_id, r.last_message_id))
         else '[]'
       end`
    : listOfRanges('m.read')

export const conversationKind: RecordKind<'conversation'> = {
  kind: 'conversation',
  isPersonal: true,
  list: (scope) => `${withConsent(scope)}
    select c.recipient_id, r.first_message_id, r.last_message_id, joined.members
      from recipients r
      join conversations c on c.recipient_id = r.id
     cross join lateral (
             select json_agg(json_build_object('user_id', member.user_id, 'read', ${readOfMember(scope)})
                             order by member.user_id) as members
               from unnest(c.user_ids) as member (user_id)
               left join conversation_members m on m.user_id = member.user_id and m.recipient_id = r.id) as joined
     where r.realm_id = $1
       ${andExported(scope, 'r.id')}
     order by r.id`,
  columns: `${RECIPIENT_COLUMNS}, members jsonb`,
  belongsToRealm: areUsers(`jsonb_path_query_array(imported.members, '$[*].user_id')`),
  store: `${STORE_RECIPIENTS}, inserted as (
    insert into conversations (recipient_id, realm_id, user_ids)
    select recipient_id, $1, array(select distinct (member ->> 'user_id')::bigint
                                     from jsonb_array_elements(members) as member
                                    order by 1)
      from valid
  ), joined as (
    insert into conversation_members (user_id, recipient_id, read)
    select (member ->> 'user_id')::bigint, recipient_id, ${rangesOfList(`member -> 'read'`)}
      from valid
     cross join jsonb_array_elements(members) as member
  )`,
  ids: idsOfRecipient,
}
