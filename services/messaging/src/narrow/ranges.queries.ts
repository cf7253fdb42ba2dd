import type { Narrow } from './narrow.ts'
import type { Parameters } from './parameters.ts'

const LAST = '9223372036854775807'

/**
 * What of a channel to look at, as a multirange. One reads only what is unread in channels that one is
 * subscribed to: whoever leaves is done with a channel.
 */
const CHANNEL_PARTS = {
  any: 's.received',
  unread: `case when s.is_active then s.received - s.read else '{}' end`,
  read: 'case when s.is_active then s.received * s.read else s.received end',
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
export function rangesOf(
  narrow: Narrow,
  me: string,
  parameters: Parameters,
  options: { unmutedOnly: boolean },
): string {
  const { scope } = narrow
  const part = narrow.reading ?? 'any'
  const muted = options.unmutedOnly && scope.kind === 'received' ? 'and not s.is_muted' : ''
  const channels = (only: string) => `
    select c.recipient_id, coalesce(lower(r), 0) as low, coalesce(upper(r), ${LAST}) as high
      from subscriptions s
      join channels c
        on c.id = s.channel_id
     cross join unnest(${CHANNEL_PARTS[part]}) r
     where s.user_id = ${me} ${muted} ${only}`
  const conversations = (only: string) => `
    select m.recipient_id, coalesce(lower(r), 0) as low, coalesce(upper(r), ${LAST}) as high
      from conversation_members m
     cross join unnest(${CONVERSATION_PARTS[part]}) r
     where m.user_id = ${me} ${only}`
  // Messages that the user never received but has a row for. One that was marked unread is in `received`.
  const historical = (only: string) => `
    select m.recipient_id, m.id as low, m.id + 1 as high
      from message_flags f
      join messages m
        on m.id = f.message_id
     where f.user_id = ${me}
       and f.is_historical
       and not exists (select from subscriptions s
                        where s.channel_id = m.channel_id and s.user_id = ${me} and s.received @> m.id) ${only}`
  const withHistorical = (plain: string, only: string) =>
    part === 'unread' ? plain : `${plain} union all ${historical(only)}`

  switch (scope.kind) {
    case 'channel': {
      if (scope.withHistory) {
        const recipient = parameters.add(scope.channel.recipientId, 'bigint')
        // Names the user all the same: PostgreSQL refuses a parameter that no part of a statement uses.
        return `
          select ${recipient} as recipient_id, 0::bigint as low, ${LAST}::bigint as high
           where ${me} is not null`
      }
      const channel = parameters.add(scope.channel.id, 'bigint')
      return withHistorical(channels(`and s.channel_id = ${channel}`), `and m.channel_id = ${channel}`)
    }
    case 'conversation':
      return conversations(`and m.recipient_id = ${parameters.add(scope.recipientId, 'bigint')}`)
    case 'nothing':
      return `${conversations('and false')}`
    case 'received':
      if (scope.only === 'conversations') return conversations('')
      if (scope.only === 'channels') return withHistorical(channels(''), '')
      return `${withHistorical(channels(''), '')} union all ${conversations('')}`
  }
}
