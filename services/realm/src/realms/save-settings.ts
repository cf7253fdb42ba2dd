import { domainEvents } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { type Organization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import {
  changedSettings,
  type Showing,
  type ShownSettings,
  showSettings,
} from '../kernel/realms/shown-settings.ts'
import { type RealmSettings, readSettings, toStoredSettings } from '../kernel/realms/stored-settings.ts'

/**
 * Saves new values of settings of a locked organization, and publishes those that differ for clients; returns them.
 * `hiddenMemberIds` are the deactivated users that permissions name afterwards.
 */
export async function saveSettings(
  tx: PrismaTx,
  organization: Organization,
  {
    settings,
    available,
    hiddenMemberIds = organization.hiddenMemberIds,
  }: { readonly settings: Partial<RealmSettings> } & Pick<Showing, 'available'> & Partial<Showing>,
  cause: Cause,
): Promise<ShownSettings> {
  const before = readSettings(organization)
  const after = { ...before, ...settings }
  const shown = showSettings(before, { available, hiddenMemberIds: organization.hiddenMemberIds })
  const changes = changedSettings(shown, showSettings(after, { available, hiddenMemberIds }))
  const columns = { ...toStoredSettings(after), hiddenMemberIds: [...hiddenMemberIds] }
  const current = { ...toStoredSettings(before), hiddenMemberIds: organization.hiddenMemberIds }
  // A permission may lose a user that clients don't see.
  if (JSON.stringify(columns) === JSON.stringify(current)) return changes
  const former = Object.fromEntries(Object.keys(changes).map((name) => [name, shown[name] ?? null]))
  const projection = toRealmProjection(await saveOrganization(tx, organization.id, columns))
  await publish(tx, domainEvents.realm.realmUpdated, { changes, before: former, projection }, cause)
  return changes
}
