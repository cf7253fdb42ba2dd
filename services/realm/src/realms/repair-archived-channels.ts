import { internal, Role } from '@tms/contracts'
import { type Logger, type Loop, startPagedRepair } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listNamedChannels, type NamedChannels } from './channel-setting.queries.ts'
import { removeChannels } from './remove-archived-channels.ts'

/** Each has three channels at most, and messaging accepts 1,000 per call. */
const PAGE_SIZE = 300
/** Sees every channel of an organization. */
const OWNER = { user_id: 0, role: Role.owner }

type RepairContext = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Repairs settings that contain archived channels. Messaging removes a channel from them before it answers the
 * request that archives it (`handleRemoveArchivedChannels`), but can't while realm is unreachable. If no settings
 * contain a channel, messaging isn't called.
 */
export function startArchivedChannelRepair(tools: RepairContext, log: Logger): Promise<Loop> {
  return startPagedRepair('archived channel repair', log, async (afterId, options) => {
    const organizations = await listNamedChannels(tools.db, { afterId, limit: PAGE_SIZE })
    const archived = await findArchived(tools, organizations, options)
    for (const { realmId, channelIds } of archived) await removeChannels(tools, realmId, channelIds, null)
    return organizations.length < PAGE_SIZE ? null : (organizations.at(-1)?.realmId ?? null)
  })
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
