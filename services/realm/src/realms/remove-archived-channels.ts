import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findOrganization, lockOrganization } from '../kernel/realms/realm.queries.ts'
import { readSettings } from '../kernel/realms/stored-settings.ts'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'
import { saveSettings } from './save-settings.ts'

/** Removes channels that messaging has archived from an organization's settings. */
export const handleRemoveArchivedChannels: InternalHandler<
  typeof internal.realm.removeArchivedChannels,
  Context
> = async ({ realm_id, stream_ids }, context, requestId) => {
  await removeChannels(context, realm_id, stream_ids, requestId)
  return {}
}

/**
 * Removes channels from an organization's settings, and publishes the change. The channels must be archived, which
 * can't be undone by a concurrent change.
 */
export function removeChannels(
  { transact }: Pick<Context, 'transact'>,
  realmId: number,
  channelIds: readonly number[],
  requestId: string | null,
): Promise<void> {
  return transact(async (tx) => {
    if (!(await findOrganization(tx, realmId))) return
    const organization = await lockOrganization(tx, realmId)
    const settings = readSettings(organization)
    const named = CHANNEL_SETTINGS.filter((name) => channelIds.includes(settings[name]))
    const removed = Object.fromEntries(named.map((name) => [name, -1]))
    const change = { settings: removed, available: [] }
    await saveSettings(tx, organization, change, { realmId, requestId })
  })
}
