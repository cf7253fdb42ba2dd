import { type endpoints, exportsFor } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { getOrganization } from '../kernel/realms/realm.queries.ts'
import { listExports } from './export.queries.ts'
import type { ExportContext } from './export-context.ts'
import { showExport } from './show-export.ts'

/** The exports of the caller's organization. */
export const handleListExports: Handler<typeof endpoints.realm.listExports, ExportContext> = async ({
  caller: { realmId, role },
  context,
}) => {
  const organization = await getOrganization(context.prisma, realmId)
  const exports = (await listExports(context.prisma, realmId)).map((one) =>
    showExport(one, organization, context),
  )
  return { exports: [...exportsFor(exports, role, context.fullExportRole)] }
}
