import type { Queryable } from '@tms/service-kit'
import { IS_SUBSCRIBER } from '../kernel/subscriptions/subscription.queries.ts'

/** Lists at most `atMost` subscribers of a channel, so that the cost is independent of its size. */
export async function listSomeSubscribers(
  db: Queryable,
  channelId: number,
  atMost: number,
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-some-subscribers',
    text: `
      select user_id as "userId"
        from subscriptions
       where channel_id = $1
         and ${IS_SUBSCRIBER}
       limit $2`,
    values: [channelId, atMost],
  })
  return rows.map(({ userId }) => userId)
}

/** The same, of subscribers who can read a message: with a history of their own only those who received it. */
export async function listSomeReaders(
  db: Queryable,
  message: { readonly id: number; readonly channelId: number },
  atMost: number,
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-some-readers',
    text: `
      select user_id as "userId"
        from subscriptions
       where channel_id = $1
         and ${IS_SUBSCRIBER}
         and (received @> $2::bigint
              or (select history_public_to_subscribers from channels where id = $1))
       limit $3`,
    values: [message.channelId, message.id, atMost],
  })
  return rows.map(({ userId }) => userId)
}
