import { domainEvents, type RealmProjection, Role } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { createAccountRow, findSystemBot, type Person } from './account.queries.ts'
import { toUserProjection } from './user-projection.ts'

const publish = publisherOf('users')
/** The wire's number for a bot that only sends and reads. */
const GENERIC_BOT = 1

/** The delivery e-mail of the organization's own actor, folded. */
export function systemBotAddressOf({ url }: Pick<RealmProjection, 'url'>): string {
  return `notification-bot@${new URL(url).hostname}`
}

/** The organization's own actor, made if need be, also by a transaction that runs at the same time. */
export async function ensureSystemBot(
  tx: PrismaTx,
  realm: Pick<RealmProjection, 'realm_id' | 'url'>,
  now: Date,
  requestId: string,
): Promise<Person> {
  const email = systemBotAddressOf(realm)
  const bot =
    (await findSystemBot(tx, realm.realm_id)) ??
    (await create(tx, { realmId: realm.realm_id, email, now }, requestId)) ??
    (await findSystemBot(tx, realm.realm_id))
  if (!bot) throw new Error(`the address ${email} belongs to someone else`)
  return bot
}

async function create(
  tx: PrismaTx,
  { realmId, email, now }: { realmId: number; email: string; now: Date },
  requestId: string,
): Promise<Person | null> {
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
    botType: GENERIC_BOT,
    isSystemBot: true,
  })
  if (!bot) return null
  await publish(
    asTx(tx),
    domainEvents.users.systemBotCreated,
    { projection: toUserProjection(bot) },
    { realmId, requestId },
  )
  return bot
}
