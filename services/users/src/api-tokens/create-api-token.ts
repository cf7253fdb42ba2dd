import { badRequest, type endpoints, tokenScopes } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { checkMayUseBots } from '../bots/bot.rules.ts'
import { lockManagedBot } from '../bots/lock-bot.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { createApiToken, hashApiToken } from '../kernel/credentials/api-token.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { countApiTokens, insertApiToken } from './api-token.queries.ts'
import { checkTokenCount, checkTokenName, distinctScopes } from './api-token.rules.ts'

/**
 * Creates a token of the caller, or of a bot that the caller manages. Throws BAD_REQUEST, and UNAUTHORIZED_PRINCIPAL for a
 * bot with more power than the caller.
 */
export const handleCreateApiToken: Handler<typeof endpoints.users.createApiToken, Context> = async ({
  input: { name, scopes, expires_in_seconds: lifeSeconds, bot_user_id: botId },
  caller,
  context,
}) => {
  const token = createApiToken()
  const createdAt = context.now()
  const wanted = {
    name: checkTokenName(name),
    hash: hashApiToken(token),
    scopes: distinctScopes(tokenScopes, scopes),
    createdAt,
    expiresAt: lifeSeconds === undefined ? null : new Date(createdAt.getTime() + lifeSeconds * 1_000),
  }
  const record = await context.transact(async (tx) => {
    const account = await lockHolder(tx, caller, botId)
    checkTokenCount(await countApiTokens(tx, account.id))
    return insertApiToken(tx, { ...wanted, accountId: account.id })
  })
  return { token, api_token: record }
}

async function lockHolder(tx: PrismaTx, caller: Caller, botId: number | undefined): Promise<Account> {
  if (botId === undefined) return lockActiveAccount(tx, caller)
  checkMayUseBots(caller)
  const { account } = await lockManagedBot(tx, caller, botId)
  if (!account.isActive) throw badRequest('The bot is deactivated')
  return account
}
