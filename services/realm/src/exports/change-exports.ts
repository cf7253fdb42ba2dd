import { domainEvents, type ExportScope, exportTypes, type PayloadOf } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publish } from '../kernel/publish.ts'
import { lockOrganization, type Organization } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { listExports, type RealmExport } from './export.queries.ts'
import type { ExportContext } from './export-context.ts'
import { showExport } from './show-export.ts'

/** What was done with an export, and what it returns. */
interface Changed<T> {
  readonly changed: Pick<RealmExport, 'id' | 'scope'>
  readonly op: NonNullable<PayloadOf<typeof domainEvents.realm.realmExportsChanged>['changed']>['op']
  readonly result: T
}

/**
 * Changes exports of an organization while its row is locked, and publishes all of them to administrators. If
 * `change` returns null, nothing is published.
 */
export function changeExports<T>(
  context: Pick<ExportContext, 'transact' | 'exportLinks' | 'now' | 'fullExportRole'>,
  cause: Cause,
  change: (
    tx: PrismaTx,
    organization: Organization,
    existing: readonly RealmExport[],
  ) => Promise<Changed<T> | null>,
): Promise<T | null> {
  return context.transact(async (tx) => {
    const organization = await lockOrganization(tx, cause.realmId)
    const done = await change(tx, organization, await listExports(tx, cause.realmId))
    if (done === null) return null
    const exports = (await listExports(tx, cause.realmId)).map((one) =>
      showExport(one, organization, context),
    )
    const projection = toRealmProjection(organization)
    const { id, scope } = done.changed
    const changed = { id, type: exportTypes[scope as ExportScope], op: done.op }
    const payload = { exports, full_export_role: context.fullExportRole, projection, changed }
    await publish(tx, domainEvents.realm.realmExportsChanged, payload, cause)
    return done.result
  })
}
