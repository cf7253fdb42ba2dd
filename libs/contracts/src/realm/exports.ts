import { z } from 'zod'
import { type ExportScope, exportScope } from '../exports/records.ts'
import { Role } from '../permissions/role.ts'

/** Values of `export_type`, by scope. */
export const exportTypes = { public: 1, consent: 2, full: 3 } as const satisfies Record<ExportScope, number>

/** The scope of an `export_type`. */
export function scopeOfExportType(type: (typeof exportTypes)[ExportScope]): ExportScope {
  return exportScope.options.find((scope) => exportTypes[scope] === type) ?? 'public'
}

/** An export of an organization, as administrators receive it. Times are UNIX seconds. */
export const realmExport = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.number(),
  deleted_timestamp: z.number().nullable(),
  failed_timestamp: z.number().nullable(),
  /** A link to the archive that is valid for a day; null if there is none, or the reader may not have it. */
  export_url: z.string().nullable(),
  pending: z.boolean(),
  export_type: z.literal(Object.values(exportTypes)),
  /** Finished records and files, and their approximate number; null unless the export is pending. */
  progress: z.object({ done: z.int(), total: z.int() }).nullable(),
})
export type RealmExport = z.output<typeof realmExport>

/** The weakest role that may have full exports, by the setting of the installation. */
export const fullExportRoles = { administrators: Role.administrator, owners: Role.owner, nobody: 0 } as const

/** Exports as a role receives them: a role that may not have full exports gets no links to those of others. */
export function exportsFor(
  exports: readonly RealmExport[],
  role: number,
  fullExportRole: number,
): readonly RealmExport[] {
  if (role <= fullExportRole) return exports
  return exports.map((one) => (one.export_type === exportTypes.full ? { ...one, export_url: null } : one))
}
