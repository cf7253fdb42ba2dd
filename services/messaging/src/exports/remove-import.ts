import type { Tx } from '@tms/service-kit'
import { doomBlobs } from '../attachments/blob-to-delete.queries.ts'
import { blobNameOf } from '../attachments/path-id.rules.ts'
import { listPathIds, removeRecords } from './remove-records.queries.ts'
import { forgetImport } from './unopened-import.queries.ts'

/**
 * Removes what there is of an organization whose import is not open yet, and what is known of it. Nobody else may be
 * importing it. Does nothing to any other organization.
 */
export async function removeImport(tx: Tx, realmId: number): Promise<void> {
  if (!(await forgetImport(tx, realmId))) return
  const blobs = (await listPathIds(tx, realmId)).map(blobNameOf)
  await removeRecords(tx, realmId)
  await doomBlobs(tx, blobs, new Date())
}
