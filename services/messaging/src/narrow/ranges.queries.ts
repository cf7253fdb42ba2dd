import { includes, isOpen } from './conditions.queries.ts'
import type { Narrow, Scope } from './narrow.ts'
import type { Parameters } from './parameters.ts'

const LAST = '9223372036854775807'

/**
 * SQL: IDs of a channel to search, as a multirange. In a channel that the user has left, all received messages are
 * read. Only bots that are mentioned there have unread ones.
 */
const CHANNEL_PARTS = {
  any: 's.received',
  unread: 's.received - s.read',
  read: 's.received * s.read',
} as const

/** SQL: IDs of a conversation to search; all of its messages were received. */
const CONVERSATION_PARTS = {
  any: `'{(,)}'::int8multirange`,
  unread: `'{(,)}'::int8multirange - m.read`,
  read: 'm.read',
} as const

/**
 * A query of rows (recipient_id, low, high): the IDs from `low` on and below `high` of a recipient are those that the
 * user `me` may find. Unread messages are found in the gaps of the read ranges, because testing each message would
 * expand the whole multirange each time.
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

/** Received messages of the channels `c`, and messages of their history that the user has a row for. */
function fromChannels(part: Part, me: string, only: string): string {
  const received = `
    select c.recipient_id, coalesce(lower(r), 0) as low, coalesce(upper(r), ${LAST}) as high
      from subscriptions s
      join channels c
        on c.id = s.channel_id
     cross join unnest(${CHANNEL_PARTS[part]}) r
     where s.user_id = ${me} ${only}`
  // A message that was marked as unread counts as received.
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

// Both use `me` although they don't need it: PostgreSQL rejects a parameter that a statement never uses.

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
