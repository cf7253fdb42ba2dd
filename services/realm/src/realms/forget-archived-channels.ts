import { domainEvents, internal, Role } from '@tms/contracts'
import { asTx, type Logger, type Loop, publisherOf, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listNamedChannels, type NamedChannels } from './channel-setting.queries.ts'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'
import { lockOrganization, saveOrganization } from './realm.queries.ts'
import { toRealmFacts } from './realm-facts.ts'
import { changedSettings, showSettings } from './shown-settings.ts'
import { readSettings, toStoredSettings } from './stored-settings.ts'

/** How late a setting may name an archived channel; too small asks messaging for nothing. */
const EVERY_MS = 2_000
/** Between two pages, where very many organizations name channels. */
const PAGE_PAUSE_MS = 100
/** Each names three channels at most, and messaging is asked about 1,000 at once. */
const PAGE_SIZE = 300
/** Sees every channel of an organization. */
const OWNER = { user_id: 0, role: Role.owner }

const publish = publisherOf('realm')
type Tools = Pick<Context, 'db' | 'call' | 'transact'>

/**
 * Has settings that name a channel name none once that is archived, and tells everyone. Realm asks for it again and again,
 * so it can't miss any, whatever archived the channel and whoever was away meanwhile. Every replica asks; each change is
 * made by one. An installation whose settings name no channel asks nobody.
 */
export function startForgettingArchivedChannels(tools: Tools, log: Logger): Loop {
  let afterId = 0
  return startLoop({
    name: 'forgetting archived channels',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      const organizations = await listNamedChannels(tools.db, { afterId, limit: PAGE_SIZE })
      for (const archived of await findArchived(tools, organizations)) await forget(tools, archived)
      const isLast = organizations.length < PAGE_SIZE
      afterId = isLast ? 0 : (organizations.at(-1)?.realmId ?? 0)
      return isLast ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}

/** Those that name archived channels, with these channels alone. */
async function findArchived(
  { call }: Tools,
  organizations: readonly NamedChannels[],
): Promise<NamedChannels[]> {
  const asked = organizations.flatMap(({ realmId, channelIds }) =>
    channelIds.map((stream_id) => ({ ...OWNER, realm_id: realmId, stream_id })),
  )
  if (asked.length === 0) return []
  const { names } = await call(internal.messaging.nameChannels, { asked })
  const archivedIds = new Set(asked.filter((_, at) => names[at] === null).map(({ stream_id }) => stream_id))
  return organizations
    .map(({ realmId, channelIds }) => ({
      realmId,
      channelIds: channelIds.filter((id) => archivedIds.has(id)),
    }))
    .filter(({ channelIds }) => channelIds.length > 0)
}

/** A channel that is archived stays so: whatever has been changed since, settings that still name it name none from now on. */
function forget({ transact }: Tools, { realmId, channelIds }: NamedChannels): Promise<void> {
  return transact(async (tx) => {
    const realm = await lockOrganization(tx, realmId)
    if (!realm) return
    const before = readSettings(realm)
    const forgotten = CHANNEL_SETTINGS.filter((name) => channelIds.includes(before[name]))
    if (forgotten.length === 0) return
    const after = { ...before, ...Object.fromEntries(forgotten.map((name) => [name, -1])) }
    const changes = changedSettings(showSettings(before), showSettings(after))
    const facts = toRealmFacts(await saveOrganization(tx, realmId, toStoredSettings(after)))
    const cause = { realmId, requestId: null }
    await publish(asTx(tx), domainEvents.realm.realmUpdated, { changes, facts }, cause)
  })
}
