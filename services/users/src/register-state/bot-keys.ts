import { Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { listBots } from '../kernel/bots/bot.queries.ts'
import { toBotRecord } from '../kernel/bots/bot-record.ts'

/** The fetch type `realm_bot`: bots that the user manages, also deactivated ones. Bots manage none, and with
 * `hidesKeys` none is listed. */
export async function botKeys(
  tx: Queryable,
  own: Account,
  hidesKeys = false,
): Promise<Record<string, unknown>> {
  if (own.isBot || hidesKeys) return { realm_bots: [] }
  const bots = await listBots(tx, {
    realmId: own.realmId,
    ownerId: own.id,
    role: own.role <= Role.administrator ? own.role : null,
  })
  return { realm_bots: bots.map(toBotRecord) }
}
