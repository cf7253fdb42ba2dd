import { Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { listBots } from '../bots/bot.queries.ts'
import { toBotRecord } from '../bots/bot-record.ts'

/** The key of the fetch type `realm_bot`: the bots that someone manages, deactivated ones too. Bots manage none. */
export async function botKeys(tx: Queryable, own: Person): Promise<Record<string, unknown>> {
  if (own.isBot) return { realm_bots: [] }
  const bots = await listBots(tx, {
    realmId: own.realmId,
    ownerId: own.id,
    role: own.role <= Role.administrator ? own.role : null,
  })
  return { realm_bots: bots.map(toBotRecord) }
}
