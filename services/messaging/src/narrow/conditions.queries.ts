import { caseKey } from '../case-key.ts'
import { RESOLVED_PREFIX } from '../messages/content.rules.ts'
import { tookPart } from '../messages/participation.queries.ts'
import type { Condition } from './narrow.ts'
import type { Parameters } from './parameters.ts'

const hasFlag = (me: string, flag: string) => `
  exists (select
            from message_flags own
           where own.user_id = ${me}
             and own.message_id = m.id
             and own.${flag})`

/** SQL: whether the message `m` mentions everyone who received it, the user `me` among them. */
export const mentionsAll = (me: string): string => `
  (m.mentions_channel or (m.mentions_topic and ${tookPart(me)}))
   and not ${hasFlag(me, 'is_historical')}`

/** SQL: what a condition asks of the message `m`. */
export function conditionOn(condition: Condition, me: string, parameters: Parameters): string {
  const test = testOf(condition, me, parameters)
  return condition.isNegated ? `not (${test})` : `(${test})`
}

function testOf(condition: Condition, me: string, parameters: Parameters): string {
  switch (condition.kind) {
    case 'channel':
      return `coalesce(m.channel_id = ${parameters.add(condition.channelId, 'bigint')}, false)`
    case 'conversation':
      return `m.recipient_id = ${parameters.add(condition.recipientId, 'bigint')}`
    case 'topic':
      return `m.topic_key = ${parameters.add(caseKey(condition.topic), 'text')}`
    case 'sender':
      return `m.sender_id = ${parameters.add(condition.userId, 'bigint')}`
    case 'id':
      return `m.id = ${parameters.add(condition.messageId, 'bigint')}`
    case 'resolved':
      return `starts_with(m.topic, ${parameters.add(RESOLVED_PREFIX, 'text')})`
    case 'starred':
      return hasFlag(me, 'is_starred')
    case 'alerted':
      return hasFlag(me, 'has_alert_word')
    case 'mentioned':
      return `${hasFlag(me, 'is_mentioned')} or (${mentionsAll(me)})`
  }
}
