import { findAccount } from '../kernel/accounts/account.queries.ts'
import { type ChannelNames, findBotDetails } from '../kernel/bots/bot.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockChannelNames } from './default-channel.queries.ts'
import { nameChannelsOf } from './name-channels.ts'
import type { RequestedChannels } from './requested-channels.ts'

/**
 * Locks the names of channels, and returns those of the channels that a bot will have, as the owner that it will have
 * sees them; null if neither changes or there is no such bot. Throws SERVICE_UNAVAILABLE if messaging doesn't answer.
 */
export async function nameNewChannels(
  tx: PrismaTx,
  context: Pick<Context, 'call'>,
  {
    realmId,
    bot_user_id,
    bot_owner_id,
    requested,
  }: {
    readonly realmId: number
    readonly bot_user_id: number
    readonly bot_owner_id?: number | undefined
    readonly requested: RequestedChannels
  },
): Promise<ChannelNames | null> {
  await lockChannelNames(tx, realmId)
  const account = await findAccount(tx, realmId, bot_user_id)
  const details = account && (await findBotDetails(tx, account.id))
  if (!details) return null
  const ownerId = bot_owner_id ?? account.botOwnerId
  if (Object.keys(requested).length === 0 && ownerId === account.botOwnerId) return null
  const owner = ownerId === null ? null : await findAccount(tx, realmId, ownerId)
  return nameChannelsOf(context, { realmId, owner, ...details, ...requested })
}
