import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'
import { CHANNEL_COLUMNS, type Channel } from '../channels/channel.queries.ts'
import type { ChannelReference } from './addressee.rules.ts'
import { PARTICIPANT_WINDOW } from './participation.queries.ts'

/** A channel and how the asking user stands to it. */
export interface ChannelPlace {
  readonly channel: Channel
  readonly isSubscribed: boolean
}

type Row = Channel & { isSubscribed: boolean }

const placeBy = (condition: string) => `
  select ${CHANNEL_COLUMNS}, coalesce(s.is_active, false) as "isSubscribed"
    from channels
    left join subscriptions s
      on s.channel_id = id
     and s.user_id = $2
   where realm_id = $1
     and not is_archived
     and ${condition}`

const BY_ID = { name: 'find-channel-place-by-id', text: placeBy('id = $3') }
const BY_NAME = { name: 'find-channel-place-by-name', text: placeBy('name_key = $3') }

/** The channel by ID, or by name ignoring case, with the user's subscription: one query for both. */
export async function findChannelPlace(
  db: Queryable,
  { realmId, userId }: { realmId: number; userId: number },
  reference: ChannelReference,
): Promise<ChannelPlace | null> {
  const { rows } = await db.query<Row>(
    'id' in reference
      ? { ...BY_ID, values: [realmId, userId, reference.id] }
      : { ...BY_NAME, values: [realmId, userId, caseKey(reference.name)] },
  )
  const [row] = rows
  if (!row) return null
  const { isSubscribed, ...channel } = row
  return { channel, isSubscribed }
}

/** How many subscribe to a channel, counted up to `atMost`: the cost doesn't grow with the channel. */
export async function countSubscribers(db: Queryable, channelId: number, atMost: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-subscribers-up-to',
    text: `
      select count(*) as count
        from (select from subscriptions where channel_id = $1 and is_active limit $2) some_of_them`,
    values: [channelId, atMost],
  })
  return rows[0]?.count ?? 0
}

/** Those of `userIds` who are subscribed. */
export async function listSubscribed(
  db: Queryable,
  channelId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-subscribed',
    text: `
      select user_id as "userId"
        from subscriptions
       where channel_id = $1
         and user_id = any($2)
         and is_active
       order by user_id`,
    values: [channelId, userIds],
  })
  return rows.map(({ userId }) => userId)
}

/**
 * Participants of a topic: who sent one of its last `PARTICIPANT_WINDOW` messages.
 */
export async function listParticipants(db: Queryable, recipientId: number, topic: string): Promise<number[]> {
  const { rows } = await db.query<{ senderId: number }>({
    name: 'list-participants',
    text: `
      select distinct sender_id as "senderId"
        from (select sender_id
                from messages
               where recipient_id = $1
                 and topic_key = $2
               order by id desc
               limit ${PARTICIPANT_WINDOW}) recent`,
    values: [recipientId, caseKey(topic)],
  })
  return rows.map(({ senderId }) => senderId)
}
