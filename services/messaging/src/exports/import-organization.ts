import { badRequest, type MessagingRecord } from '@tms/contracts'
import { inTransaction, type Tx } from '@tms/service-kit'
import { doomBlobs } from '../attachments/doomed-blob.queries.ts'
import { blobNameOf } from '../attachments/path-id.rules.ts'
import type { Context } from '../context.ts'
import { settleAllSights } from '../guest-sights/settle-policy.ts'
import { importRecords, type RecordCounts } from './import-records.ts'
import { listPathIds, removeRecords } from './remove-records.queries.ts'
import { hasRecords } from './stored-records.queries.ts'
import { forgetImport, lockImport, noteImport, tryLockImport } from './unopened-import.queries.ts'

/**
 * Imports what an export holds of an organization, all of it or nothing; the organization must not be open, and be here
 * with its users. Throws BAD_REQUEST for what can't be imported.
 */
export async function importOrganization(
  context: Pick<Context, 'db' | 'learnOrganization' | 'guestSights'>,
  realmId: number,
  records: AsyncIterable<MessagingRecord>,
): Promise<RecordCounts> {
  const { db, learnOrganization, guestSights } = context
  await inTransaction(db, async (tx) => {
    await lockUnused(tx, realmId)
    await noteImport(tx, realmId)
  })
  // By itself: whoever brings news of people and organizations must not wait for the import.
  const realm = await learnOrganization(realmId)
  if (realm.is_active) throw badRequest('The organization is open already')
  const counts = await inTransaction(db, async (tx) => {
    await lockUnused(tx, realmId)
    const stored = await importRecords(tx, realmId, records)
    await settleAllSights(tx, realmId, null)
    return stored
  })
  guestSights.wake()
  return counts
}

async function lockUnused(tx: Tx, realmId: number): Promise<void> {
  if (!(await tryLockImport(tx, realmId))) throw badRequest('The organization is being imported already')
  if (await hasRecords(tx, realmId))
    throw badRequest('The organization has channels, messages or files here already')
}

/**
 * Undoes the import of an organization that has not been opened yet, whether it came to an end or not. Does nothing to
 * any other organization.
 */
export async function removeImport(
  { db, now, blobDeletion }: Pick<Context, 'db' | 'now' | 'blobDeletion'>,
  realmId: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockImport(tx, realmId)
    if (!(await forgetImport(tx, realmId))) return
    const blobs = (await listPathIds(tx, realmId)).map(blobNameOf)
    await removeRecords(tx, realmId)
    await doomBlobs(tx, blobs, now())
  })
  blobDeletion.wake()
}
