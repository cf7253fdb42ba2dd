import { type RealmRecord, realmRecord } from '@tms/contracts'
import type { ServicePart } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { blobNameOf as emojiBlobOf } from '../emoji/emoji-files.ts'
import { deleteRealm } from '../imports/import.queries.ts'
import { importRealm } from '../imports/import-realm.ts'
import { blobNameOf as pictureBlobOf } from '../pictures/realm-pictures.ts'
import { exportRealm, listRealmFiles } from './export-realm.ts'
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
