import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findSystemBot } from './account.queries.ts'
import { ensureSystemBot } from './system-bot.ts'
import { toUserFacts } from './user-facts.ts'

/** The organization's own actor, created by whoever needs it first. Throws BAD_REQUEST for an unknown organization. */
export const handleEnsureSystemBot: InternalHandler<typeof internal.users.ensureSystemBot, Context> = async (
  { realm_id },
  context,
  requestId,
) => {
  const realm = await context.realms.findById(realm_id)
  if (!realm) throw badRequest('There is no such organization')
  const bot =
    (await findSystemBot(context.prisma, realm_id)) ??
    (await context.transact((tx) => ensureSystemBot(tx, realm, context.now(), requestId)))
  return { user: toUserFacts(bot) }
}
