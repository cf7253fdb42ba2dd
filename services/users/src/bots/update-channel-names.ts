import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import { type ChannelNames, findBotDetails, saveBotDetails } from '../kernel/bots/bot.queries.ts'
import { publishBot } from '../kernel/bots/publish-bot.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import {
  type BotFilter,
  type BotWithChannels,
  listBotsWithChannels,
  lockChannelNames,
} from './default-channel.queries.ts'
import { hasSameChannelNames, nameChannels } from './name-channels.ts'

/** Bots per transaction; more would block other changes of bots' channels longer. */
const PAGE_SIZE = 100
/** Messaging is called under a lock, and callers time out after this, too. */
const TIMEOUT_MS = 2_000

type Tools = Pick<Context, 'call' | 'transact'>

/** Called by messaging after names or visibility of channels changed. */
export const handleUpdateBotChannelNames: InternalHandler<
  typeof internal.users.updateBotChannelNames,
  Context
> = async ({ realm_id, stream_ids, user_ids }, context) => {
  await updateChannelNames(context, {
    realmId: realm_id,
    channelIds: stream_ids,
    ...(user_ids && { ownerIds: user_ids }),
  })
  return {}
}

/**
 * Updates and publishes the names of bots' default channels, as messaging returns them for each owner. Messaging is
 * called under a lock, so an older answer never overwrites a newer one. Throws SERVICE_UNAVAILABLE if messaging
 * doesn't answer.
 */
export async function updateChannelNames(tools: Tools, filter: BotFilter): Promise<void> {
  let afterId: number | null = 0
  while (afterId !== null) {
    const page = { afterId, limit: PAGE_SIZE }
    afterId = await tools.transact(async (tx) => {
      await lockChannelNames(tx, filter.realmId)
      const bots = await listBotsWithChannels(tx, page, filter)
      const names = await nameChannels(tools, bots, { timeoutMs: TIMEOUT_MS })
      for (const [at, bot] of bots.entries()) {
        const now = names[at]
        if (now && !hasSameChannelNames(bot, now)) await saveAndPublishNames(tx, bot, now)
      }
      return bots.length < PAGE_SIZE ? null : (bots.at(-1)?.id ?? null)
    })
  }
}

/**
 * The same after a change of a user's role or a bot's owner, before the caller gets an answer. If messaging doesn't
 * answer, the next comparison repairs the names.
 */
export async function updateChannelNamesOf(
  tools: Tools,
  { realmId, id }: { readonly realmId: number; readonly id: number },
): Promise<void> {
  await updateChannelNames(tools, { realmId, ownerIds: [id] }).catch(() => {})
}

/** Skips a bot whose owner changed since messaging was asked: that change asks again. */
async function saveAndPublishNames(tx: PrismaTx, bot: BotWithChannels, names: ChannelNames): Promise<void> {
  await shareAdministration(tx, bot.realmId)
  const account = await lockAccount(tx, bot.realmId, bot.id)
  const details = await findBotDetails(tx, bot.id)
  if (!account || !details || account.botOwnerId !== (bot.owner?.id ?? null)) return
  const after = { ...details, ...names }
  await saveBotDetails(tx, bot.id, after)
  await publishBot(tx, { account, details }, { account, details: after }, null)
}
