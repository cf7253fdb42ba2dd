import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listExportConsents } from './export-consent.queries.ts'

/** Which active people let their private data be exported, for administrators. */
export const handleListExportConsents: Handler<typeof endpoints.users.listExportConsents, Context> = async ({
  caller,
  context,
}) => ({ export_consents: await listExportConsents(context.db, caller.realmId) })
