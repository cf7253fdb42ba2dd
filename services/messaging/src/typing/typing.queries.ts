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
