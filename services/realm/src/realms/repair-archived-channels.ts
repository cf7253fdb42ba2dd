import { internal, Role } from '@tms/contracts'
import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listNamedChannels, type NamedChannels } from './channel-setting.queries.ts'
import { removeChannels } from './remove-archived-channels.ts'

/** How long a setting may contain an archived channel that messaging could not remove; too small queries for nothing. */
const EVERY_MS = 30_000
/** After a failure, usually because messaging doesn't answer. */
const RETRY_MS = 2_000
/** Between two pages, in an installation with very many organizations. */
const PAGE_PAUSE_MS = 100
/** Each has three channels at most, and messaging accepts 1,000 per call. */
const PAGE_SIZE = 300
/** How long a starting service waits for messaging, which may be starting too. */
const START_MS = 2_000
/** Sees every channel of an organization. */
const OWNER = { user_id: 0, role: Role.owner }

type RepairContext = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Repairs settings that contain archived channels. Messaging removes a channel from them before it answers the
 * request that archives it (`handleRemoveArchivedChannels`), but can't while realm is unreachable. Every replica
 * checks once before it serves requests, and then every 30 s. If no settings contain a channel, messaging isn't
 * called.
 */
export async function startArchivedChannelRepair(tools: RepairContext, log: Logger): Promise<Loop> {
  const deadline = Date.now() + START_MS
  let afterId: number | null = 0
  while (afterId !== null && Date.now() < deadline) {
    afterId = await repairPage(tools, afterId, START_MS).catch(() => null)
  }
  let nextId = 0
  return startLoop({
    name: 'archived channel repair',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const lastId = await repairPage(tools, nextId)
      nextId = lastId ?? 0
      return lastId === null ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/** Repairs the next organizations after an ID; returns the last one's, or null if there are no more. */
async function repairPage(tools: RepairContext, afterId: number, timeoutMs?: number): Promise<number | null> {
  const organizations = await listNamedChannels(tools.db, { afterId, limit: PAGE_SIZE })
  const archived = await findArchived(tools, organizations, timeoutMs === undefined ? {} : { timeoutMs })
  for (const { realmId, channelIds } of archived) await removeChannels(tools, realmId, channelIds, null)
  return organizations.length < PAGE_SIZE ? null : (organizations.at(-1)?.realmId ?? null)
}

/** The organizations with archived channels in their settings, with these channels only. */
async function findArchived(
  { call }: RepairContext,
  organizations: readonly NamedChannels[],
  options: { readonly timeoutMs?: number },
): Promise<NamedChannels[]> {
  const requests = organizations.flatMap(({ realmId, channelIds }) =>
    channelIds.map((stream_id) => ({ ...OWNER, realm_id: realmId, stream_id })),
  )
  if (requests.length === 0) return []
  const { names } = await call(internal.messaging.listChannelNames, { requests }, options)
  const archivedIds = new Set(
    requests.filter((_, at) => names[at] === null).map(({ stream_id }) => stream_id),
  )
  return organizations
    .map(({ realmId, channelIds }) => ({
      realmId,
      channelIds: channelIds.filter((id) => archivedIds.has(id)),
    }))
    .filter(({ channelIds }) => channelIds.length > 0)
}
