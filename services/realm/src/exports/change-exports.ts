import { domainEvents } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { lockOrganization, type Organization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { listExports, type RealmExport } from './export.queries.ts'
import type { ExportContext } from './export-context.ts'
import { showExport } from './show-export.ts'

/**
 * Changes exports of an organization while its row is locked, and publishes all of them to administrators. If
 * `change` returns null, nothing is published.
 */
export function changeExports<T>(
  context: Pick<ExportContext, 'transact' | 'exportLinks' | 'now' | 'fullExportRole'>,
  cause: Cause,
  change: (tx: PrismaTx, organization: Organization, existing: readonly RealmExport[]) => Promise<T | null>,
): Promise<T | null> {
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    const result = await change(tx, organization, await listExports(tx, cause.realmId))
    if (result === null) return null
    const exports = (await listExports(tx, cause.realmId)).map((one) =>
      showExport(one, organization, context),
    )
    const projection = toRealmProjection(organization)
    const payload = { exports, full_export_role: context.fullExportRole, projection }
    await publish(tx, domainEvents.realm.realmExportsChanged, payload, cause)
    return result
  })
}
