import { randomBytes } from 'node:crypto'
import { BotType, badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { createBot } from './create-bot.ts'

/**
 * Creates an incoming webhook of a user. Nobody writes to its address, which therefore only has to be free. Throws BAD_REQUEST and
 * UNAUTHORIZED_PRINCIPAL as creating any bot.
 */
export const handleCreateIncomingWebhook: InternalHandler<
  typeof internal.users.createIncomingWebhook,
  Context
> = async ({ realm_id, owner_id, full_name, integration }, context, requestId) => {
  const owner = await findAccount(context.prisma, realm_id, owner_id)
  if (!owner) throw badRequest('There is no such user')
  const { account, details } = await createBot(
    context,
    { userId: owner.id, realmId: realm_id, role: owner.role, isBot: owner.isBot },
    {
      input: {
        ...{ full_name, service_name: integration, bot_type: BotType.incomingWebhook },
        short_name: `${integration.replaceAll('_', '-')}-${randomBytes(4).toString('hex')}`,
      },
      picture: null,
    },
    requestId,
  )
  return { user_id: account.id, api_key: details.apiKey }
}
