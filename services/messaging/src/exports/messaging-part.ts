import { type MessagingRecord, messagingRecord } from '@tms/contracts'
import type { ServicePart } from '@tms/service-kit'
import { blobFolderOf, blobNameOf } from '../attachments/path-id.rules.ts'
import { exportRecords } from './export-records.ts'
import { countRecords, listExportedPathIds } from './exported-record.queries.ts'
import { importRecords } from './import-records.ts'
import { removeImport } from './remove-import.ts'

/** Messaging's part of an export: channels and conversations, their contents, and files. */
export const messagingPart: ServicePart<MessagingRecord> = {
  records: messagingRecord,
  countRecords,
  exportRecords,
  listFiles: async function* (tx, realmId, scope) {
    for await (const pathId of listExportedPathIds(tx, realmId, scope)) yield blobNameOf(pathId)
  },
  importRecords,
  removeRecords: removeImport,
  filePrefixes: (realmId) => [blobFolderOf(realmId)],
}
