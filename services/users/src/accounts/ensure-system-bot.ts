import { BotType, domainEvents, type internal, type RealmProjection, Role } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { type Account, createAccountRow, findSystemBot } from '../kernel/accounts/account.queries.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import { systemBotAddressOf } from '../kernel/addresses/api-email.rules.ts'
import type { Context } from '../kernel/context.ts'
import { createApiKey } from '../kernel/credentials/api-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
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

/** Returns the organization's system bot, and creates it if needed. Safe when two transactions do it at once. */
export async function ensureSystemBot(
  tx: PrismaTx,
  realm: Pick<RealmProjection, 'realm_id' | 'url'>,
  now: Date,
  requestId: string,
): Promise<Account> {
  const email = systemBotAddressOf(realm)
  const bot =
    (await findSystemBot(tx, realm.realm_id)) ??
    (await createSystemBotAccount(tx, { realmId: realm.realm_id, email, now }, requestId)) ??
    (await findSystemBot(tx, realm.realm_id))
  if (!bot) throw new Error(`the address ${email} belongs to another account`)
  return bot
}

async function createSystemBotAccount(
  tx: PrismaTx,
  { realmId, email, now }: { realmId: number; email: string; now: Date },
  requestId: string,
): Promise<Account | null> {
  const bot = await createAccountRow(tx, {
    realmId,
    email,
    deliveryEmail: email,
    fullName: 'Notification Bot',
    passwordHash: null,
    apiKey: createApiKey(),
    role: Role.member,
    dateJoined: now,
    isBot: true,
    botType: BotType.generic,
    isSystemBot: true,
  })
  if (!bot) return null
  await publish(
    tx,
    domainEvents.users.systemBotCreated,
    { projection: toUserProjection(bot) },
    { realmId, requestId },
  )
  return bot
}
