import { z } from 'zod'
import { Role } from '../domain-event.ts'

/** How clients name what an export has. */
export const exportTypes = { public: 1, full: 2 } as const

/** An export of an organization, as administrators get it. Times are UNIX seconds. */
export const realmExport = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.number(),
  deleted_timestamp: z.number().nullable(),
  failed_timestamp: z.number().nullable(),
  /** A link to the archive that is valid for a day; null when there is none, or the reader may not have it. */
  export_url: z.string().nullable(),
  pending: z.boolean(),
  export_type: z.literal(Object.values(exportTypes)),
  /** Records and files that are done, and about how many there are; null when it isn't pending. */
  progress: z.object({ done: z.int(), total: z.int() }).nullable(),
})
export type RealmExport = z.output<typeof realmExport>

/** Who may have full exports, by the setting of the installation: the weakest role. */
export const fullExportRoles = { administrators: Role.administrator, owners: Role.owner, nobody: 0 } as const

/** Exports as someone with a role gets them: who may not make full ones gets no links to those of others. */
export function exportsFor(
  exports: readonly RealmExport[],
  role: number,
  fullExportRole: number,
): readonly RealmExport[] {
  if (role <= fullExportRole) return exports
  return exports.map((one) => (one.export_type === exportTypes.full ? { ...one, export_url: null } : one))
}
