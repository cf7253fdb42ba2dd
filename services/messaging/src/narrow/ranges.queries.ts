import { includes, isOpen } from './conditions.queries.ts'
import type { Narrow, Scope } from './narrow.ts'
import type { Parameters } from './parameters.ts'

const LAST = '9223372036854775807'

/**
 * What of a channel to look at, as a multirange. Of a channel that one isn't in, all is read that was received: whoever
 * leaves is done with it. Only bots that are mentioned there have it unread.
 */
const CHANNEL_PARTS = {
  any: 's.received',
  unread: 's.received - s.read',
  read: 's.received * s.read',
} as const

/** What of a conversation to look at; everything in it was received. */
const CONVERSATION_PARTS = {
  any: `'{(,)}'::int8multirange`,
  unread: `'{(,)}'::int8multirange - m.read`,
  read: 'm.read',
} as const

/**
 * A query of rows (recipient_id, low, high): the IDs from `low` on and below `high` in that place are what the
 * user `me` may find there. Unread messages are looked for in the gaps of what is read, because asking for
 * each message whether it is read would take the whole multirange apart each time.
 */
export function rangesOf({ scope, reading }: Narrow, me: string, parameters: Parameters): string {
  const part = reading ?? 'any'
  switch (scope.kind) {
    case 'channel':
      return scope.withHistory
        ? wholeChannel(scope, me, parameters)
        : fromChannels(part, me, `and c.id = ${parameters.add(scope.channel.id, 'bigint')}`)
    case 'public_channels':
      return wholeChannels(scope, me, parameters)
    case 'conversation':
      return fromConversations(
        part,
        me,
        `and m.recipient_id = ${parameters.add(scope.recipientId, 'bigint')}`,
      )
    case 'nothing':
      return fromConversations(part, me, 'and false')
    case 'received': {
      const channels = fromChannels(part, me, scope.openness.map((one) => `and ${isOpen(one)}`).join(' '))
      if (scope.only === 'channels') return channels
      const others = scope.including.map((one) => `and ${includes('m.recipient_id', one, parameters)}`)
      const conversations = fromConversations(part, me, others.join(' '))
      return scope.only === 'conversations' ? conversations : `${channels} union all ${conversations}`
    }
  }
}

type Part = keyof typeof CHANNEL_PARTS

/** What was received in the channels `c`, and messages of their history that the user has a row for. */
function fromChannels(part: Part, me: string, only: string): string {
  const received = `
    select c.recipient_id, coalesce(lower(r), 0) as low, coalesce(upper(r), ${LAST}) as high
      from subscriptions s
      join channels c
        on c.id = s.channel_id
     cross join unnest(${CHANNEL_PARTS[part]}) r
     where s.user_id = ${me} ${only}`
  // One that was marked unread counts as received.
  if (part === 'unread') return received
  return `${received}
    union all
    select m.recipient_id, m.id as low, m.id + 1 as high
      from message_flags f
      join messages m
        on m.id = f.message_id
      join channels c
        on c.id = m.channel_id
     where f.user_id = ${me}
       and f.is_historical
       and not exists (select from subscriptions s
                        where s.channel_id = m.channel_id and s.user_id = ${me} and s.received @> m.id) ${only}`
}

const fromConversations = (part: Part, me: string, only: string) => `
    select m.recipient_id, coalesce(lower(r), 0) as low, coalesce(upper(r), ${LAST}) as high
      from conversation_members m
     cross join unnest(${CONVERSATION_PARTS[part]}) r
     where m.user_id = ${me} ${only}`

// Both name the user all the same: PostgreSQL refuses a parameter that no part of a statement uses.

const wholeChannel = ({ channel }: Scope & { kind: 'channel' }, me: string, parameters: Parameters) => `
    select ${parameters.add(channel.recipientId, 'bigint')} as recipient_id, 0::bigint as low, ${LAST}::bigint as high
     where ${me} is not null`

const wholeChannels = (
  { realmId, openness }: Scope & { kind: 'public_channels' },
  me: string,
  parameters: Parameters,
) => `
    select c.recipient_id, 0::bigint as low, ${LAST}::bigint as high
      from channels c
     where c.realm_id = ${parameters.add(realmId, 'bigint')}
       and not c.is_archived
       and ${me} is not null ${openness.map((one) => `and ${isOpen(one)}`).join(' ')}`
