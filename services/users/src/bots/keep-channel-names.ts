import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { type BotWithChannels, listBotsWithChannels } from './default-channel.queries.ts'
import { isNamedAlike, nameChannels } from './name-channels.ts'
import { updateChannelNames } from './update-channel-names.ts'

/** How late a name may be that messaging could not have updated; too small asks messaging for nothing. */
const EVERY_MS = 30_000
/** After a failure, which is mostly that messaging doesn't answer: that is when names become late. */
const RETRY_MS = 2_000
/** Between two pages, where very many bots have default channels. */
const PAGE_PAUSE_MS = 100
const PAGE_SIZE = 500
/** How long a service that starts waits for messaging, which may be starting too. */
const START_MS = 2_000

type Tools = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Repairs what bots' default channels are called. Messaging has names updated before it answers a change
 * (`handleUpdateBotChannelNames`), but not while it can't reach users. Every replica compares, once before it serves
 * requests and then every 30 s. An installation whose bots have no default channels asks nobody.
 */
export async function startKeepingChannelNames(tools: Tools, log: Logger): Promise<Loop> {
  const before = Date.now() + START_MS
  let afterId: number | null = 0
  while (afterId !== null && Date.now() < before) {
    afterId = await repairPage(tools, afterId, START_MS).catch(() => null)
  }
  let nextId = 0
  return startLoop({
    name: 'keeping names of default channels',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const lastId = await repairPage(tools, nextId)
      nextId = lastId ?? 0
      return lastId === null ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/** Compares the next bots after one; returns the last of them, or null when there are no more. */
async function repairPage(tools: Tools, afterId: number, timeoutMs?: number): Promise<number | null> {
  const bots = await listBotsWithChannels(tools.db, { afterId, limit: PAGE_SIZE })
  const names = await nameChannels(tools, bots, timeoutMs === undefined ? {} : { timeoutMs })
  const differing = bots.filter((bot, at) => {
    const now = names[at]
    return now !== undefined && !isNamedAlike(bot, now)
  })
  for (const [realmId, ofRealm] of groupByRealm(differing)) {
    await updateChannelNames(tools, { realmId, ids: ofRealm.map(({ id }) => id) })
  }
  return bots.length < PAGE_SIZE ? null : (bots.at(-1)?.id ?? null)
}

function groupByRealm(bots: readonly BotWithChannels[]): Map<number, BotWithChannels[]> {
  const groups = new Map<number, BotWithChannels[]>()
  for (const bot of bots) groups.set(bot.realmId, [...(groups.get(bot.realmId) ?? []), bot])
  return groups
}
