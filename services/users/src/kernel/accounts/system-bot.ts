import { BotType, domainEvents, type RealmProjection, Role } from '@tms/contracts'
import { publisherOf } from '@tms/service-kit'
import { createApiKey } from '../credentials/api-key.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { type Account, createAccountRow, findSystemBot } from './account.queries.ts'
import { toUserProjection } from './user-projection.ts'

const publish = publisherOf('users')

/** The folded delivery e-mail of the system bot. */
export function systemBotAddressOf({ url }: Pick<RealmProjection, 'url'>): string {
  return `notification-bot@${new URL(url).hostname}`
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
