import { newestEditsSql } from '../kernel/messages/edit-history.queries.ts'
import { LINK_MARKS } from '../kernel/messages/link-marks.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import type { RecordKind } from './record-kind.ts'
import { andConsents, isMessage, isUser, messagesIn, secondsOf, withConsent } from './record-parts.queries.ts'

/** SQL: the part of the edit history that the organization shows to all readers. */
const SHOWN_HISTORY = `
  case (select coalesce(projection ->> 'message_edit_history_visibility_policy',
                        case when projection -> 'allow_edit_history' = 'true' then 'all' end)
          from known_realms where realm_id = $1)
    when 'all' then ${newestEditsSql('m.edit_history')}
    when 'moves' then (
      select jsonb_agg(
               edit - array['prev_content', 'prev_rendered_content']
               order by position)
        from jsonb_array_elements(${newestEditsSql('m.edit_history')}) with ordinality as entries (edit, position)
       where edit ?| array['prev_topic', 'prev_stream'])
  end as edit_history`

/** A message with its search text: the search indexer reads only new messages. */
export const messageKind: RecordKind<'message'> = {
  kind: 'message',
  isPersonal: false,
  list: (scope) => `${withConsent(scope)}
    select m.id, m.recipient_id, m.channel_id as stream_id, m.previous_id as previous_message_id, m.sender_id, m.topic,
           m.content, m.rendered_content, ${secondsOf('m.sent_at')} as timestamp, m.client, m.mentions_channel,
           m.mentions_topic, ${secondsOf('m.last_edit_at')} as last_edit_timestamp,
           ${secondsOf('m.last_moved_at')} as last_moved_timestamp,
           ${scope === 'full' ? `${newestEditsSql('m.edit_history')} as edit_history` : SHOWN_HISTORY}
      from ${messagesIn(scope)}`,
  columns: `
    id bigint, recipient_id bigint, stream_id bigint, previous_message_id bigint, sender_id bigint, topic text,
    topic_key text, content text, rendered_content text, timestamp float8, client text, mentions_channel boolean,
    mentions_topic boolean, last_edit_timestamp float8,
    last_moved_timestamp float8, edit_history jsonb`,
  belongsToRealm: `
    ${isUser('imported.sender_id')}
    and exists (select from recipients r where r.id = imported.recipient_id and r.realm_id = $1)
    and imported.stream_id is not distinct from (select c.id from channels c where c.recipient_id = imported.recipient_id)`,
  store: `
  inserted as (
    insert into messages (
             id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
             rendered_content, ${LINK_MARKS.join(', ')}, sent_at, client, mentions_channel, mentions_topic,
             last_edit_at, last_moved_at, edit_history)
    select id, $1, recipient_id, stream_id, previous_message_id, sender_id, topic, topic_key, content,
           rendered_content, ${LINK_MARKS.map((mark) => `${mark}(rendered_content)`).join(', ')},
           to_timestamp(timestamp), client, mentions_channel, mentions_topic, to_timestamp(last_edit_timestamp),
           to_timestamp(last_moved_timestamp),
           edit_history
      from valid
  ), texts as (
    insert into message_texts (message_id, recipient_id, sender_id, text, marks)
    select id, recipient_id, sender_id, message_text(topic, content),
           message_marks(topic, ${LINK_MARKS.map((mark) => `${mark}(rendered_content)`).join(', ')})
      from valid
  )`,
  derive: ({ topic }) => ({ topic_key: caseKey(topic) }),
  ids: ({ id }) => ({ message_ids: id }),
}

export const messageFlagsKind: RecordKind<'message_flags'> = {
  kind: 'message_flags',
  isPersonal: true,
  list: (scope) => `${withConsent(scope)}
    select f.message_id, f.user_id, f.is_starred as starred, f.is_collapsed as collapsed, f.is_mentioned as mentioned,
           f.has_alert_word, f.is_historical as historical
      from ${messagesIn(scope)}
     cross join lateral (
             select *
               from message_flags
              where message_id = m.id ${andConsents(scope, 'user_id')}
              order by user_id) as f`,
  columns: `
    message_id bigint, user_id bigint, starred boolean, collapsed boolean, mentioned boolean, has_alert_word boolean,
    historical boolean`,
  belongsToRealm: `${isMessage('imported.message_id')} and ${isUser('imported.user_id')}`,
  store: `
  inserted as (
    insert into message_flags (
             message_id, user_id, is_starred, is_collapsed, is_mentioned, has_alert_word, is_historical)
    select message_id, user_id, starred, collapsed, mentioned, has_alert_word, historical
      from valid
  )`,
}

export const reactionKind: RecordKind<'reaction'> = {
  kind: 'reaction',
  isPersonal: false,
  list: (scope) => `${withConsent(scope)}
    select r.message_id, r.user_id, r.emoji_name, r.emoji_code, r.reaction_type,
           ${secondsOf('r.created_at')} as timestamp
      from ${messagesIn(scope)}
     cross join lateral (
             select *
               from reactions
              where message_id = m.id
              order by created_at, user_id, reaction_type, emoji_code) as r`,
  columns: `
    message_id bigint, user_id bigint, emoji_name text, emoji_code text, reaction_type text, timestamp float8`,
  belongsToRealm: `${isMessage('imported.message_id')} and ${isUser('imported.user_id')}`,
  store: `
  inserted as (
    insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type, created_at)
    select message_id, user_id, emoji_name, emoji_code, reaction_type, to_timestamp(timestamp)
      from valid
  )`,
}

export const submessageKind: RecordKind<'submessage'> = {
  kind: 'submessage',
  isPersonal: false,
  list: (scope) => `${withConsent(scope)}
    select s.id, s.message_id, s.sender_id, s.msg_type, s.content
      from ${messagesIn(scope)}
     cross join lateral (select * from submessages where message_id = m.id order by id) as s`,
  columns: 'id bigint, message_id bigint, sender_id bigint, msg_type text, content text',
  belongsToRealm: `${isMessage('imported.message_id')} and ${isUser('imported.sender_id')}`,
  store: `
  inserted as (
    insert into submessages (id, message_id, sender_id, msg_type, content)
    overriding system value
    select id, message_id, sender_id, msg_type, content
      from valid
  )`,
  ids: ({ id }) => ({ submessages_id_seq: id }),
}
