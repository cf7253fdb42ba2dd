import { VisibilityPolicy } from '@tms/contracts'
import { topicPolicySql } from '../kernel/messages/muting.queries.ts'
import { isParticipantSql } from '../kernel/messages/participation.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { RESOLVED_PREFIX } from '../kernel/text/content.rules.ts'
import type { Condition, Including, Openness } from './narrow.ts'
import type { Parameters } from './parameters.ts'
import { containsText } from './text.queries.ts'

const hasFlag = (me: string, flag: string) => `
  exists (select
            from message_flags own
           where own.user_id = ${me}
             and own.message_id = m.id
             and own.${flag})`

/** SQL: whether the message `m` mentions everyone who received it, including the user `me`. */
export const mentionsAll = (me: string): string => `
  (m.mentions_channel or (m.mentions_topic and ${isParticipantSql(me)}))
   and not ${hasFlag(me, 'is_historical')}`

/** SQL: whether the channel `c` has this openness, which an archived one hasn't. */
export const isOpen = (openness: Openness): string =>
  `(not c.is_archived and ${openness === 'public' ? 'not c.invite_only' : 'c.is_web_public'})`

/** SQL: whether the conversation `recipientId` includes a user. */
export const includes = (
  recipientId: string,
  { userId, isGroup }: Including,
  parameters: Parameters,
): string => `
  exists (select
            from conversation_members j
            join conversations v
              on v.recipient_id = j.recipient_id
           where j.user_id = ${parameters.add(userId, 'bigint')}
             and j.recipient_id = ${recipientId} ${isGroup ? 'and cardinality(v.user_ids) > 2' : ''})`

/** SQL: a condition on the message `m`. */
export function conditionOn(condition: Condition, me: string, parameters: Parameters): string {
  const test = testOf(condition, me, parameters)
  return condition.isNegated ? `not (${test})` : `(${test})`
}

function testOf(condition: Condition, me: string, parameters: Parameters): string {
  switch (condition.kind) {
    case 'channel':
      return `coalesce(m.channel_id = ${parameters.add(condition.channelId, 'bigint')}, false)`
    case 'open_channel':
      return `exists (select from channels c where c.id = m.channel_id and ${isOpen(condition.openness)})`
    case 'conversation':
      return `m.recipient_id = ${parameters.add(condition.recipientId, 'bigint')}`
    case 'including':
      return includes('m.recipient_id', condition, parameters)
    case 'topic':
      // Direct messages have no topic, and are not in the empty one.
      return `m.topic_key = ${parameters.add(caseKey(condition.topic), 'text')}${
        condition.topic === '' ? ' and m.channel_id is not null' : ''
      }`
    case 'sender':
      return `m.sender_id = ${parameters.add(condition.userId, 'bigint')}`
    case 'id':
      return `m.id = any(${parameters.add(condition.messageIds, 'bigint[]')})`
    case 'resolved':
      // Written like the partial index, so that it is used.
      return `starts_with(m.topic, '${RESOLVED_PREFIX}')`
    case 'starred':
      return hasFlag(me, 'is_starred')
    case 'alerted':
      return hasFlag(me, 'has_alert_word')
    case 'mentioned':
      return `${hasFlag(me, 'is_mentioned')} or (${mentionsAll(me)})`
    case 'followed':
      return `coalesce((${topicPolicySql('m', me)}) = ${VisibilityPolicy.followed}, false)`
    case 'muted':
      return `not (${isShown(me)})`
    case 'has':
      return condition.what === 'reaction'
        ? 'exists (select from reactions r where r.message_id = m.id)'
        : `m.has_${condition.what}`
    case 'home':
      return condition.namesChannel ? isTopicShown(me) : isShown(me)
    case 'search':
      return containsText(condition, parameters)
  }
}

const isTopicShown = (me: string) =>
  `coalesce((${topicPolicySql('m', me)}), ${VisibilityPolicy.none}) <> ${VisibilityPolicy.muted}`

/** The policy of a topic takes precedence over that of its channel. */
const isShown = (me: string) => `
  case coalesce((${topicPolicySql('m', me)}), ${VisibilityPolicy.none})
    when ${VisibilityPolicy.muted} then false
    when ${VisibilityPolicy.none} then not exists (
      select
        from subscriptions s
       where s.channel_id = m.channel_id
         and s.user_id = ${me}
         and s.is_active
         and s.is_muted)
    else true
  end`
