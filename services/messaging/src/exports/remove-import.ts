import type { Tx } from '@tms/service-kit'
import { scheduleBlobDeletion } from '../attachments/blob-to-delete.queries.ts'
import { blobNameOf } from '../attachments/path-id.rules.ts'
import { deletePendingImport } from './pending-import.queries.ts'
import { listPathIds, removeRecords } from './remove-records.queries.ts'

/**
 * Removes all data and projections of an organization whose import is pending. No import of it may be running. Does
 * nothing for any other organization.
 */
export async function removeImport(tx: Tx, realmId: number): Promise<void> {
  if (!(await deletePendingImport(tx, realmId))) return
  const blobs = (await listPathIds(tx, realmId)).map(blobNameOf)
  await removeRecords(tx, realmId)
  await scheduleBlobDeletion(tx, blobs, new Date())
}
