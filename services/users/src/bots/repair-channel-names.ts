import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listBotsWithChannels } from './default-channel.queries.ts'
import { hasSameChannelNames, nameChannels } from './name-channels.ts'
import { updateChannelNames } from './update-channel-names.ts'

/** Upper bound for a stale name if messaging couldn't reach users; smaller asks messaging more often for nothing. */
const EVERY_MS = 30_000
/** After a failure, mostly because messaging doesn't answer: exactly then names become stale. */
const RETRY_MS = 2_000
/** Pause between pages, for installations with very many such bots. */
const PAGE_PAUSE_MS = 100
const PAGE_SIZE = 500
/** How long the start of the service waits for messaging, which may be starting too. */
const START_MS = 2_000

type Tools = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Repairs the names of bots' default channels. Messaging has them updated before it answers a change
 * (`handleUpdateBotChannelNames`), but can't while users is unreachable. Every replica compares them once before it
 * serves requests, then every 30 s. Without such bots it makes no call.
 */
export async function startChannelNameRepair(tools: Tools, log: Logger): Promise<Loop> {
  const before = Date.now() + START_MS
  let afterId: number | null = 0
  while (afterId !== null && Date.now() < before) {
    afterId = await repairPage(tools, afterId, START_MS).catch(() => null)
  }
  let nextId = 0
  return startLoop({
    name: 'channel name repair',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const lastId = await repairPage(tools, nextId)
      nextId = lastId ?? 0
      return lastId === null ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/** Compares a page of bots after an ID; returns the last ID, or null at the end. */
async function repairPage(tools: Tools, afterId: number, timeoutMs?: number): Promise<number | null> {
  const bots = await listBotsWithChannels(tools.db, { afterId, limit: PAGE_SIZE })
  const names = await nameChannels(tools, bots, timeoutMs === undefined ? {} : { timeoutMs })
  const differing = bots.filter((bot, at) => {
    const now = names[at]
    return now !== undefined && !hasSameChannelNames(bot, now)
  })
  for (const [realmId, ofRealm] of Map.groupBy(differing, ({ realmId }) => realmId)) {
    await updateChannelNames(tools, { realmId, ids: ofRealm.map(({ id }) => id) })
  }
  return bots.length < PAGE_SIZE ? null : (bots.at(-1)?.id ?? null)
}
