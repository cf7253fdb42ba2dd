import { asTx, type Logger, type Loop, startLoop } from '@tms/service-kit'
import { lockPerson, type Person } from '../accounts/account.queries.ts'
import { shareAddressSight } from '../accounts/address-sight.queries.ts'
import type { Context, PrismaTx } from '../context.ts'
import { type BotDetails, type ChannelNames, findBotDetails, saveBotDetails } from './bot.queries.ts'
import { type BotWithChannels, listBotsWithChannels } from './default-channel.queries.ts'
import { isNamedAlike, nameChannels } from './name-channels.ts'
import { tellBot } from './tell-bot.ts'

/** How late a name may be; too small asks messaging for nothing. */
const EVERY_MS = 2_000
/** Between two pages, where very many bots have default channels. */
const PAGE_PAUSE_MS = 100
const PAGE_SIZE = 500

type Tools = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Keeps what bots' default channels are called, whatever happens to the channels and to who sees them, and tells those
 * who manage the bots. Every replica looks; each change is made by one. An installation whose bots have none asks
 * nobody.
 */
export function startKeepingChannelNames(tools: Tools, log: Logger): Loop {
  let afterId = 0
  return startLoop({
    name: 'keeping names of default channels',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      const bots = await listBotsWithChannels(tools.db, { afterId, limit: PAGE_SIZE })
      const names = await nameChannels(tools, bots)
      for (const [at, bot] of bots.entries()) {
        const now = names[at]
        if (now && !isNamedAlike(bot, now)) await tools.transact((tx) => rename(tx, bot, now))
      }
      const isLast = bots.length < PAGE_SIZE
      afterId = isLast ? 0 : (bots.at(-1)?.id ?? 0)
      return isLast ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/**
 * Writes and tells names that were asked for, unless something of the bot's channels or its owner is another than when
 * they were: then somebody may have written newer ones, and the next look finds out. So no answer is written over one that
 * came after it, and nobody waits for messaging.
 */
async function rename(tx: PrismaTx, bot: BotWithChannels, names: ChannelNames): Promise<void> {
  // Before the bot, as changes of roles do, which take their owners' bots along.
  await shareAddressSight(tx, bot.realmId)
  const person = await lockPerson(tx, bot.realmId, bot.id)
  const details = await findBotDetails(asTx(tx), bot.id)
  if (!person || !details || !isAsListed(bot, person, details)) return
  const after = { ...details, ...names }
  await saveBotDetails(asTx(tx), bot.id, after)
  await tellBot(tx, { person, details }, { person, details: after }, null)
}

const isAsListed = (bot: BotWithChannels, { botOwnerId }: Person, details: BotDetails): boolean =>
  (bot.owner?.id ?? null) === botOwnerId &&
  bot.defaultSendingStreamId === details.defaultSendingStreamId &&
  bot.defaultEventsRegisterStreamId === details.defaultEventsRegisterStreamId &&
  isNamedAlike(bot, details)
