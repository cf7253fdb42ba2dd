import { asTx, type Logger, type Loop, startLoop } from '@tms/service-kit'
import { findPerson, lockPerson } from '../accounts/account.queries.ts'
import { shareAddressSight } from '../accounts/address-sight.queries.ts'
import type { Context, PrismaTx } from '../context.ts'
import { findBotDetails, saveBotDetails } from './bot.queries.ts'
import { type BotWithChannels, listBotsWithChannels } from './default-channel.queries.ts'
import { isNamedAlike, nameChannels, nameChannelsOf } from './name-channels.ts'
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
        if (now && !isNamedAlike(bot, now)) await tools.transact((tx) => rename(tx, tools, bot))
      }
      const isLast = bots.length < PAGE_SIZE
      afterId = isLast ? 0 : (bots.at(-1)?.id ?? 0)
      return isLast ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/**
 * Asks for the names again, with the bot locked: of two who ask at once, the one who is told something older
 * doesn't write it over what is newer.
 */
async function rename(tx: PrismaTx, tools: Tools, { realmId, id }: BotWithChannels): Promise<void> {
  // Before the bot, as changes of roles do, which take their owners' bots along.
  await shareAddressSight(tx, realmId)
  const person = await lockPerson(tx, realmId, id)
  const details = await findBotDetails(asTx(tx), id)
  if (!person || !details) return
  const owner = person.botOwnerId === null ? null : await findPerson(tx, realmId, person.botOwnerId)
  const names = await nameChannelsOf(tools, { realmId, owner, ...details })
  if (isNamedAlike(details, names)) return
  const after = { ...details, ...names }
  await saveBotDetails(asTx(tx), id, after)
  await tellBot(tx, { person, details }, { person, details: after }, null)
}
