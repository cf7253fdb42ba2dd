import { AppError, internal } from '@tms/contracts'
import { listApiTokensOf } from '../api-tokens/api-token.queries.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { ShownToken } from './token-views.ts'

const NAMES_TIMEOUT_MS = 2_000

/** The tokens of an account and its bots, as a page shows them to the account or to another viewer. */
export async function listShownTokens(
  context: Context,
  account: Account,
  viewer = account,
): Promise<ShownToken[]> {
  const records = await listApiTokensOf(context.db, account.realmId, account.id)
  const botIds = new Set(records.map(({ user_id }) => user_id).filter((id) => id !== account.id))
  const botNames = new Map<number, string>()
  for (const id of botIds)
    botNames.set(id, (await findAccount(context.prisma, account.realmId, id))?.fullName ?? '')
  const channelNames = await findChannelNames(
    context,
    viewer,
    records.flatMap(({ channel_ids }) => channel_ids ?? []),
  )
  return records.map(({ id, user_id, name, scopes, channel_ids, expires_at, last_used }) => ({
    ...{ id, name, scopes, botName: botNames.get(user_id) ?? null },
    channels: channel_ids && channel_ids.map((one) => channelNames.get(one) ?? `channel ${one}`),
    expiresAt: expires_at === null ? null : new Date(expires_at * 1_000),
    lastUsedAt: last_used === null ? null : new Date(last_used * 1_000),
  }))
}

/** The names of channels that the viewer sees. None while messaging doesn't answer: the page is no less useful for that. */
async function findChannelNames(
  { call }: Pick<Context, 'call'>,
  { realmId: realm_id, id: user_id, role }: Account,
  channelIds: readonly number[],
): Promise<Map<number, string>> {
  const ids = [...new Set(channelIds)]
  if (ids.length === 0) return new Map()
  const requests = ids.map((stream_id) => ({ realm_id, user_id, role, stream_id }))
  try {
    const { names } = await call(
      internal.messaging.listChannelNames,
      { requests },
      { timeoutMs: NAMES_TIMEOUT_MS },
    )
    return new Map(ids.flatMap((id, index) => (names[index] ? [[id, `#${names[index]}`] as const] : [])))
  } catch (err) {
    if (err instanceof AppError) return new Map()
    throw err
  }
}
