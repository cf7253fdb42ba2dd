import { caseKey } from '../kernel/text/case-key.ts'
import type { RecordKind } from './record-kind.ts'
import {
  andConsents,
  andScheduled,
  areUsers,
  isChannel,
  isUser,
  withConsent,
} from './record-parts.queries.ts'

export const draftKind: RecordKind<'draft'> = {
  kind: 'draft',
  isPersonal: true,
  list: (scope) => `${withConsent(scope)}
    select d.id, d.user_id, d.type, to_json(d.recipient_ids) as to, d.topic, d.content,
           d.last_edited_at as timestamp
      from known_users u
      join drafts d on d.user_id = u.user_id
     where u.realm_id = $1
       ${andConsents(scope, 'd.user_id')}
     order by d.id`,
  columns: 'id bigint, user_id bigint, type text, "to" jsonb, topic text, content text, timestamp bigint',
  belongsToRealm: isUser('imported.user_id'),
  store: `
  inserted as (
    insert into drafts (id, user_id, type, recipient_ids, topic, content, last_edited_at)
    overriding system value
    select id, user_id, type, array(select jsonb_array_elements_text("to")::bigint), topic, content, timestamp
      from valid
  )`,
  ids: ({ id }) => ({ drafts_id_seq: id }),
}

/** Imported messages are not sent before the organization is active; earlier attempts would fail. */
export const scheduledMessageKind: RecordKind<'scheduled_message'> = {
  kind: 'scheduled_message',
  isPersonal: true,
  list: (scope) => `${withConsent(scope)}
    select id as scheduled_message_id, sender_id, channel_id as stream_id, to_json(user_ids) as user_ids, topic,
           content, rendered_content, read_by_sender, client, deliver_at as scheduled_delivery_timestamp, failed
      from scheduled_messages
     where realm_id = $1
       ${andScheduled(scope, 'scheduled_messages')}
     order by id`,
  columns: `
    scheduled_message_id bigint, sender_id bigint, stream_id bigint, user_ids jsonb, topic text, topic_key text,
    content text, rendered_content text, read_by_sender boolean, client text, scheduled_delivery_timestamp bigint, failed boolean`,
  belongsToRealm: `
    ${isUser('imported.sender_id')}
    and (imported.stream_id is null or ${isChannel('imported.stream_id')})
    and ${areUsers(`coalesce(imported.user_ids, '[]')`)}`,
  store: `
  inserted as (
    insert into scheduled_messages (
             id, realm_id, sender_id, channel_id, user_ids, topic, topic_key, content, rendered_content, read_by_sender,
             client, deliver_at, failed, attempt_at)
    overriding system value
    select scheduled_message_id, $1, sender_id, stream_id,
           case when user_ids is not null then array(select jsonb_array_elements_text(user_ids)::bigint) end, topic,
           topic_key, content, rendered_content, read_by_sender, client, scheduled_delivery_timestamp, failed,
           case when failed then to_timestamp(scheduled_delivery_timestamp) else 'infinity' end
      from valid
  )`,
  derive: ({ topic }) => ({ topic_key: caseKey(topic) }),
  ids: (record) => ({ scheduled_messages_id_seq: record.scheduled_message_id }),
}
