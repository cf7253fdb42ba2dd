import { BotType } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Those of these users who are active outgoing webhooks, or bots whose type isn't known here. */
export async function listWebhooksAmong(db: Queryable, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-webhooks-among',
    text: `
      select user_id as "userId"
        from known_users
       where user_id = any($1)
         and projection -> 'is_bot' = 'true'
         and projection -> 'is_active' = 'true'
         and projection -> 'is_system_bot' = 'false'
         and coalesce(projection ->> 'bot_type', '${BotType.outgoingWebhook}') = '${BotType.outgoingWebhook}'
       order by user_id`,
    values: [userIds],
  })
  return rows.map(({ userId }) => userId)
}
