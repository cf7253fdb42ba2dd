import {
  type ApiTokenRecord,
  AppError,
  badRequest,
  domainEvents,
  type endpoints,
  internal,
  type TokenScope,
  tokenScopes,
} from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { checkMayUseBots } from '../bots/bot.rules.ts'
import { lockManagedBot } from '../bots/lock-bot.ts'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { keyIdOf } from '../kernel/credentials/api-key.ts'
import { createApiToken, hashApiToken, hashLimitedApiToken } from '../kernel/credentials/api-token.ts'
import { getCredentials } from '../kernel/credentials/credential.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { countApiTokens, insertApiToken } from './api-token.queries.ts'
import { checkLimitedScopes, checkTokenCount, checkTokenName, distinctScopes } from './api-token.rules.ts'

interface WantedChannels {
  readonly ids: readonly number[]
  /** Also with `#` before it, as people write them. */
  readonly names: readonly string[]
}

/** A token that somebody wants. */
export interface WantedToken {
  readonly name: string
  readonly scopes: readonly TokenScope[]
  /** To limit it to channels: at least one, by ID or name. */
  readonly channels: WantedChannels | null
  /** Null if it never expires. */
  readonly lifeSeconds: number | null
  /** A bot of the creator; null for a token of their own. */
  readonly botId: number | null
}

export const handleCreateApiToken: Handler<typeof endpoints.users.createApiToken, Context> = async ({
  input: { name, scopes, channel_ids: channelIds, expires_in_seconds: lifeSeconds, bot_user_id: botId },
  caller,
  context,
  requestId,
}) => {
  const { token, record } = await createTokenFor(
    context,
    caller,
    {
      name,
      scopes,
      channels: channelIds === undefined ? null : { ids: channelIds, names: [] },
      lifeSeconds: lifeSeconds ?? null,
      botId: botId ?? null,
    },
    requestId,
  )
  return { token, api_token: record }
}

/**
 * Creates a token of the creator, or of a bot that the creator manages. Throws BAD_REQUEST, also for a channel that the creator
 * can't see, and UNAUTHORIZED_PRINCIPAL for a bot with more power than the creator.
 */
export async function createTokenFor(
  context: Context,
  creator: Caller,
  { name, scopes, channels, lifeSeconds, botId }: WantedToken,
  requestId: string,
): Promise<{ token: string; record: ApiTokenRecord }> {
  const token = createApiToken()
  const createdAt = context.now()
  if (channels) checkLimitedScopes(scopes)
  const wanted = {
    name: checkTokenName(name),
    hash: channels ? hashLimitedApiToken(token) : hashApiToken(token),
    scopes: distinctScopes(tokenScopes, scopes),
    channelIds: channels && (await findChannelIds(context, creator, channels, requestId)),
    createdAt,
    expiresAt: lifeSeconds === null ? null : new Date(createdAt.getTime() + lifeSeconds * 1_000),
  }
  const record = await context.transact(async (tx) => {
    const account = await lockHolder(tx, creator, botId)
    checkTokenCount(await countApiTokens(tx, account.id))
    const inserted = await insertApiToken(tx, { ...wanted, accountId: account.id })
    const { id: token_id, user_id, name, scopes, channel_ids } = inserted
    const payload = { op: 'created', user_id, token_id, name, scopes, channel_ids } as const
    await publish(tx, domainEvents.users.apiTokenChanged, payload, { realmId: account.realmId, requestId })
    return inserted
  })
  return { token, record }
}

/** The channels' IDs, ascending. Throws BAD_REQUEST for one that the creator can't see, or doesn't exist. */
async function findChannelIds(
  { call }: Pick<Context, 'call'>,
  { realmId, userId, role }: Caller,
  { ids, names }: WantedChannels,
  requestId: string,
): Promise<number[]> {
  const find = async (stream_ids: readonly number[], stream_names: readonly string[]) => {
    const references = { stream_ids: [...stream_ids], stream_names: [...stream_names] }
    const body = { realm_id: realmId, user_id: userId, role, ...references }
    const { channels } = await call(internal.messaging.checkChannels, body, { requestId })
    return channels.map(({ stream_id }) => stream_id)
  }
  const isMarked = (name: string) => /^#./u.test(name)
  const found = await find(
    ids,
    names.filter((name) => !isMarked(name)),
  )
  // A name may begin with the mark itself.
  for (const name of names.filter(isMarked)) {
    const literal = await find([], [name]).catch((err: unknown) => {
      if (err instanceof AppError && err.status < 500) return null
      throw err
    })
    found.push(...(literal ?? (await find([], [name.slice(1)]))))
  }
  return [...new Set(found)].sort((a, b) => a - b)
}

async function lockHolder(tx: PrismaTx, creator: Caller, botId: number | null): Promise<Account> {
  const account = await lockOwnOrBot(tx, creator, botId)
  await checkKey(tx, creator)
  return account
}

/** Throws UNAUTHORIZED if the key that the request was accepted by has been replaced meanwhile, which ended its tokens. */
async function checkKey(tx: PrismaTx, { realmId, userId, keyId }: Caller): Promise<void> {
  if (keyId === undefined) return
  const { apiKey } = await getCredentials(tx, realmId, userId)
  if (keyIdOf(apiKey) !== keyId)
    throw new AppError('UNAUTHORIZED', { message: 'The API key has been replaced' })
}

async function lockOwnOrBot(tx: PrismaTx, creator: Caller, botId: number | null): Promise<Account> {
  if (botId === null) return lockActiveAccount(tx, creator)
  checkMayUseBots(creator)
  const { account } = await lockManagedBot(tx, creator, botId)
  if (!account.isActive) throw badRequest('The bot is deactivated')
  return account
}
