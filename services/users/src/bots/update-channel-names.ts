import type { internal } from '@tms/contracts'
import { asTx, type InternalHandler } from '@tms/service-kit'
import { lockPerson } from '../accounts/account.queries.ts'
import { shareEmailVisibilityLock } from '../accounts/email-visibility.queries.ts'
import type { Context, PrismaTx } from '../context.ts'
import { type ChannelNames, findBotDetails, saveBotDetails } from './bot.queries.ts'
import {
  type BotFilter,
  type BotWithChannels,
  listBotsWithChannels,
  lockChannelNames,
} from './default-channel.queries.ts'
import { isNamedAlike, nameChannels } from './name-channels.ts'
import { publishBot } from './publish-bot.ts'

/** Bots in one transaction: more of them keep others that give bots channels waiting. */
const PAGE_SIZE = 100
/** Messaging is asked under a lock; callers give up then, too. */
const TIMEOUT_MS = 2_000

type Tools = Pick<Context, 'call' | 'transact'>

/** Brings names of default channels up to date after messaging changed what the channels are called, or who sees them. */
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
 * Writes what default channels of bots are called, as messaging names them for the owner of each, and tells those who
 * manage the bots. All that was committed before the call counts: messaging is asked under a lock, so that no answer is
 * written over one that came after it. Throws SERVICE_UNAVAILABLE while messaging doesn't answer.
 */
export async function updateChannelNames(tools: Tools, filter: BotFilter): Promise<void> {
  let afterId: number | null = 0
  while (afterId !== null) {
    const page = { afterId, limit: PAGE_SIZE }
    afterId = await tools.transact(async (tx) => {
      await lockChannelNames(asTx(tx), filter.realmId)
      const bots = await listBotsWithChannels(asTx(tx), page, filter)
      const names = await nameChannels(tools, bots, { timeoutMs: TIMEOUT_MS })
      for (const [at, bot] of bots.entries()) {
        const now = names[at]
        if (now && !isNamedAlike(bot, now)) await rename(tx, bot, now)
      }
      return bots.length < PAGE_SIZE ? null : (bots.at(-1)?.id ?? null)
    })
  }
}

/**
 * The same after someone got another role, or a bot another owner, before the caller is answered. If messaging doesn't
 * answer, names are brought up to date when they are compared next.
 */
export async function updateChannelNamesOf(
  tools: Tools,
  { realmId, id }: { readonly realmId: number; readonly id: number },
): Promise<void> {
  await updateChannelNames(tools, { realmId, ownerIds: [id] }).catch(() => {})
}

/** Unless the bot has another owner than when messaging was asked: whoever gave it one asks anew. */
async function rename(tx: PrismaTx, bot: BotWithChannels, names: ChannelNames): Promise<void> {
  // Before the bot, as changes of roles do, which take their owners' bots along.
  await shareEmailVisibilityLock(tx, bot.realmId)
  const person = await lockPerson(tx, bot.realmId, bot.id)
  const details = await findBotDetails(asTx(tx), bot.id)
  if (!person || !details || person.botOwnerId !== (bot.owner?.id ?? null)) return
  const after = { ...details, ...names }
  await saveBotDetails(asTx(tx), bot.id, after)
  await publishBot(tx, { person, details }, { person, details: after }, null)
}
