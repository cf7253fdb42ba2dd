import { domainEvents, type internal } from '@tms/contracts'
import { type InternalHandler, publisherOf } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { lockOrganization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { changedSettings, showSettings } from '../kernel/realms/shown-settings.ts'
import { readSettings, toStoredSettings } from '../kernel/realms/stored-settings.ts'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'

const publish = publisherOf('realm')

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
    const realm = await lockOrganization(tx, realmId)
    if (!realm) return
    const before = readSettings(realm)
    const named = CHANNEL_SETTINGS.filter((name) => channelIds.includes(before[name]))
    if (named.length === 0) return
    const after = { ...before, ...Object.fromEntries(named.map((name) => [name, -1])) }
    const changes = changedSettings(showSettings(before), showSettings(after))
    const projection = toRealmProjection(await saveOrganization(tx, realmId, toStoredSettings(after)))
    await publish(tx, domainEvents.realm.realmUpdated, { changes, projection }, { realmId, requestId })
  })
}
