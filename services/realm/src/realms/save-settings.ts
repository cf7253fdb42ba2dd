import { type AuthenticationMethod, domainEvents } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { type Organization, saveOrganization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { changedSettings, type ShownSettings, showSettings } from '../kernel/realms/shown-settings.ts'
import { type RealmSettings, readSettings, toStoredSettings } from '../kernel/realms/stored-settings.ts'

/** Saves new values of settings of a locked organization, and publishes those that differ; returns them. */
export async function saveSettings(
  tx: PrismaTx,
  organization: Organization,
  {
    settings,
    available,
  }: {
    readonly settings: Partial<RealmSettings>
    /** The authentication methods that the installation offers the organization. */
    readonly available: readonly AuthenticationMethod[]
  },
  cause: Cause,
): Promise<ShownSettings> {
  const before = readSettings(organization)
  const after = { ...before, ...settings }
  const changes = changedSettings(showSettings(before, available), showSettings(after, available))
  if (Object.keys(changes).length === 0) return changes
  const projection = toRealmProjection(await saveOrganization(tx, organization.id, toStoredSettings(after)))
  await publish(tx, domainEvents.realm.realmUpdated, { changes, projection }, cause)
  return changes
}
