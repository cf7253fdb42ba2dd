import { type RealmExport as ExportRecord, type ExportScope, exportTypes } from '@tms/contracts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import type { RealmExport } from './export.queries.ts'
import type { ExportContext } from './export-context.ts'

type NamedRealm = Pick<Realm, 'stringId' | 'url'>

const seconds = (time: Date | null): number | null => time && time.getTime() / 1000

/** The file name of an archive for downloads. */
export function archiveNameOf(
  { stringId }: Pick<NamedRealm, 'stringId'>,
  { createdAt }: RealmExport,
): string {
  return `${stringId === '' ? 'organization' : stringId}-${createdAt.toISOString().slice(0, 10)}.tar.gz`
}

/** An export as administrators receive it, with a link to its archive. */
export function showExport(
  exported: RealmExport,
  realm: NamedRealm,
  { exportLinks, now }: Pick<ExportContext, 'exportLinks' | 'now'>,
): ExportRecord {
  const token = exportLinks.tokenOf(exported.id, now())
  const pending = exported.finishedAt === null && exported.failedAt === null
  return {
    id: exported.id,
    acting_user_id: exported.actingUserId,
    export_time: exported.createdAt.getTime() / 1000,
    deleted_timestamp: seconds(exported.deletedAt),
    failed_timestamp: seconds(exported.failedAt),
    export_url:
      exported.file === null
        ? null
        : `${realm.url}/realm_exports/${exported.id}/${token}/${archiveNameOf(realm, exported)}`,
    pending,
    export_type: exportTypes[exported.scope as ExportScope],
    progress: pending ? { done: exported.done, total: exported.total } : null,
  }
}
