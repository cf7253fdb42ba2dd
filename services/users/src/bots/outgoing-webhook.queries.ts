import { BotType } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { BotDetails } from '../kernel/bots/bot.queries.ts'

/** The target of an active outgoing webhook whose owner and organization are active; null for every other account. */
export async function findCallableService(
  db: Queryable,
  botId: number,
): Promise<Pick<BotDetails, 'payloadUrl' | 'serviceToken' | 'serviceInterface'> | null> {
  const { rows } = await db.query<Pick<BotDetails, 'payloadUrl' | 'serviceToken' | 'serviceInterface'>>({
    name: 'find-callable-service',
    text: `
      select payload_url as "payloadUrl", service_token as "serviceToken", service_interface as "serviceInterface"
        from bots
        join accounts bot on bot.id = bots.user_id
        left join accounts owner on owner.id = bot.bot_owner_id
        left join known_realms on known_realms.realm_id = bot.realm_id
       where bot.id = $1
         and bot.bot_type = ${BotType.outgoingWebhook}
         and bot.is_active
         and owner.is_active is not false
         and known_realms.is_active is not false`,
    values: [botId],
  })
  return rows[0] ?? null
}
