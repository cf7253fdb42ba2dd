import { badRequest, domainEvents, type internal, Role } from '@tms/contracts'
import { asTx, type InternalHandler, publisherOf } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { createApiKey } from '../credentials/api-key.ts'
import { createAccountRow, findSystemBot, type Person } from './account.queries.ts'
import { toUserFacts } from './user-facts.ts'

const publish = publisherOf('users')
/** The wire's number for a bot that only sends and reads. */
const GENERIC_BOT = 1

/** The organization's own actor, created by whoever needs it first. Throws BAD_REQUEST for an unknown organization. */
export const handleEnsureSystemBot: InternalHandler<typeof internal.users.ensureSystemBot, Context> = async (
  { realm_id },
  context,
  requestId,
) => ({ user: toUserFacts(await ensureSystemBot(context, realm_id, requestId)) })

/** The same within the service. Do it before opening a transaction: it has one of its own. */
export async function ensureSystemBot(context: Context, realmId: number, requestId: string): Promise<Person> {
  const find = () => findSystemBot(context.prisma, realmId)
  const bot = (await find()) ?? (await create(context, realmId, requestId)) ?? (await find())
  if (!bot) throw new Error('the address of the notification bot belongs to someone else')
  return bot
}

/** Null when its address is taken: by itself, if another request was faster. */
async function create(context: Context, realmId: number, requestId: string): Promise<Person | null> {
  const realm = await context.realms.findById(realmId)
  if (!realm) throw badRequest('There is no such organization')
  const email = `notification-bot@${new URL(realm.url).hostname}`
  return context.transact(async (tx) => {
    const bot = await createAccountRow(tx, {
      realmId: realm.realm_id,
      email,
      deliveryEmail: email,
      fullName: 'Notification Bot',
      passwordHash: null,
      apiKey: createApiKey(),
      role: Role.member,
      dateJoined: context.now(),
      isBot: true,
      botType: GENERIC_BOT,
      isSystemBot: true,
    })
    if (!bot) return null
    const cause = { realmId: bot.realmId, requestId }
    await publish(asTx(tx), domainEvents.users.systemBotCreated, { facts: toUserFacts(bot) }, cause)
    return bot
  })
}
