import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { type Account, findSystemBot } from '../kernel/accounts/account.queries.ts'
import { ensureSystemBot } from '../kernel/accounts/system-bot.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/** The organization's system bot, created if missing. Throws BAD_REQUEST for an unknown organization. */
export const handleEnsureSystemBot: InternalHandler<typeof internal.users.ensureSystemBot, Context> = async (
  { realm_id },
  context,
  requestId,
) => ({ user: toUserProjection(await getSystemBot(context, realm_id, requestId)) })

/** The same within the service. Call it outside a transaction: it may open its own. */
export async function getSystemBot(context: Context, realmId: number, requestId: string): Promise<Account> {
  const realm = await getRealm(context, realmId)
  return (
    (await findSystemBot(context.prisma, realmId)) ??
    (await context.transact((tx) => ensureSystemBot(tx, realm, context.now(), requestId)))
  )
}
