import type { Pool } from '@tms/service-kit'
import type { ApiClient } from '@tms/test-kit'
import { until } from './until.ts'

/** Waits until messaging knows of each user that they have devices, or none: it learns of that by an event, which no answer waits for. */
export const untilDevicesKnown = (
  messagingDb: Pool,
  users: readonly Pick<ApiClient, 'userId'>[],
  has = true,
): Promise<void> =>
  until(async () => {
    const { rows } = await messagingDb.query<{ count: number }>(
      `select count(*)::int as count
         from known_users
        where user_id = any($1::bigint[]) and (projection -> 'has_push_devices')::boolean = $2`,
      [users.map(({ userId }) => userId), has],
    )
    return rows[0]?.count === users.length
  })
