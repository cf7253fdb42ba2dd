import { type RealmExport as ExportRecord, exportTypes } from '@tms/contracts'
import type { Context } from '../context.ts'
import type { Realm } from '../realms/realm.queries.ts'
import type { RealmExport } from './export.queries.ts'

type Named = Pick<Realm, 'stringId' | 'url'>

const seconds = (time: Date | null): number | null => time && time.getTime() / 1000

/** What an archive is called where it is kept by people. */
export function archiveNameOf({ stringId }: Pick<Named, 'stringId'>, { createdAt }: RealmExport): string {
  return `${stringId === '' ? 'organization' : stringId}-${createdAt.toISOString().slice(0, 10)}.tar.gz`
}

/** An export as administrators get it, with a link to its archive. */
export function showExport(
  made: RealmExport,
  realm: Named,
  { exportLinks, now }: Pick<Context, 'exportLinks' | 'now'>,
): ExportRecord {
  const token = exportLinks.tokenOf(made.id, now())
  const pending = made.finishedAt === null && made.failedAt === null
  return {
    id: made.id,
    acting_user_id: made.actingUserId,
    export_time: made.createdAt.getTime() / 1000,
    deleted_timestamp: seconds(made.deletedAt),
    failed_timestamp: seconds(made.failedAt),
    export_url:
      made.file === null
        ? null
        : `${realm.url}/realm_exports/${made.id}/${token}/${archiveNameOf(realm, made)}`,
    pending,
    export_type: made.scope === 'full' ? exportTypes.full : exportTypes.public,
    progress: pending ? { done: made.done, total: made.total } : null,
  }
}
