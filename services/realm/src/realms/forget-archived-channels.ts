import { internal, Role } from '@tms/contracts'
import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listNamedChannels, type NamedChannels } from './channel-setting.queries.ts'
import { removeChannels } from './remove-archived-channels.ts'

/** How late a setting may name an archived channel that messaging could not have removed; too small asks for nothing. */
const EVERY_MS = 30_000
/** After a failure, which is mostly that messaging doesn't answer. */
const RETRY_MS = 2_000
/** Between two pages, where very many organizations name channels. */
const PAGE_PAUSE_MS = 100
/** Each names three channels at most, and messaging is asked about 1,000 at once. */
const PAGE_SIZE = 300
/** How long a service that starts waits for messaging, which may be starting too. */
const START_MS = 2_000
/** Sees every channel of an organization. */
const OWNER = { user_id: 0, role: Role.owner }

type Tools = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Repairs settings that name archived channels. Messaging has them name none before it answers what archives a channel
 * (`handleRemoveArchivedChannels`), but not while it can't reach realm. Every replica asks, once before it serves requests
 * and then every 30 s. An installation whose settings name no channel asks nobody.
 */
export async function startForgettingArchivedChannels(tools: Tools, log: Logger): Promise<Loop> {
  const before = Date.now() + START_MS
  let afterId: number | null = 0
  while (afterId !== null && Date.now() < before) {
    afterId = await repairPage(tools, afterId, START_MS).catch(() => null)
  }
  let nextId = 0
  return startLoop({
    name: 'forgetting archived channels',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const lastId = await repairPage(tools, nextId)
      nextId = lastId ?? 0
      return lastId === null ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/** Repairs the next organizations after one; returns the last of them, or null when there are no more. */
async function repairPage(tools: Tools, afterId: number, timeoutMs?: number): Promise<number | null> {
  const organizations = await listNamedChannels(tools.db, { afterId, limit: PAGE_SIZE })
  const archived = await findArchived(tools, organizations, timeoutMs === undefined ? {} : { timeoutMs })
  for (const { realmId, channelIds } of archived) await removeChannels(tools, realmId, channelIds, null)
  return organizations.length < PAGE_SIZE ? null : (organizations.at(-1)?.realmId ?? null)
}

/** Those that name archived channels, with these channels alone. */
async function findArchived(
  { call }: Tools,
  organizations: readonly NamedChannels[],
  options: { readonly timeoutMs?: number },
): Promise<NamedChannels[]> {
  const asked = organizations.flatMap(({ realmId, channelIds }) =>
    channelIds.map((stream_id) => ({ ...OWNER, realm_id: realmId, stream_id })),
  )
  if (asked.length === 0) return []
  const { names } = await call(internal.messaging.nameChannels, { asked }, options)
  const archivedIds = new Set(asked.filter((_, at) => names[at] === null).map(({ stream_id }) => stream_id))
  return organizations
    .map(({ realmId, channelIds }) => ({
      realmId,
      channelIds: channelIds.filter((id) => archivedIds.has(id)),
    }))
    .filter(({ channelIds }) => channelIds.length > 0)
}
