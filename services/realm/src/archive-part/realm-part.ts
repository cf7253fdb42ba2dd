import { type RealmRecord, realmRecord } from '@tms/contracts'
import type { ServicePart } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { blobNameOf as emojiBlobOf } from '../kernel/parts/emoji-files.ts'
import { blobNameOf as pictureBlobOf } from '../kernel/parts/realm-pictures.ts'
import { exportRealm, listRealmFiles } from './export-realm.ts'
import { deleteRealm } from './import.queries.ts'
import { importRealm } from './import-realm.ts'
import { countRecords } from './realm-rows.queries.ts'

/** How this service exports and imports its part of an organization. */
export const realmPart: ServicePart<RealmRecord, Context> = {
  records: realmRecord,
  countRecords,
  exportRecords: exportRealm,
  listFiles: listRealmFiles,
  importRecords: importRealm,
  removeRecords: deleteRealm,
  filePrefixes: (realmId) => [emojiBlobOf(realmId, ''), pictureBlobOf(realmId, '')],
}
