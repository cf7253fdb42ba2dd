import { type Logger, type Loop, startPagedRepair } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listBotsWithChannels } from './default-channel.queries.ts'
import { hasSameChannelNames, nameChannels } from './name-channels.ts'
import { updateChannelNames } from './update-channel-names.ts'

const PAGE_SIZE = 500

type Tools = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Repairs the names of bots' default channels. Messaging has them updated before it answers a change
 * (`handleUpdateBotChannelNames`), but can't while users is unreachable. Without such bots it makes no call.
 */
export function startChannelNameRepair(tools: Tools, log: Logger): Promise<Loop> {
  return startPagedRepair('channel name repair', log, async (afterId, options) => {
    const bots = await listBotsWithChannels(tools.db, { afterId, limit: PAGE_SIZE })
    const names = await nameChannels(tools, bots, options)
    const differing = bots.filter((bot, at) => {
      const now = names[at]
      return now !== undefined && !hasSameChannelNames(bot, now)
    })
    for (const [realmId, ofRealm] of Map.groupBy(differing, ({ realmId }) => realmId)) {
      await updateChannelNames(tools, { realmId, ids: ofRealm.map(({ id }) => id) })
    }
    return bots.length < PAGE_SIZE ? null : (bots.at(-1)?.id ?? null)
  })
}
