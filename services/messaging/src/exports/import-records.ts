import { badRequest, type MessagingRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { refreshGrantees } from '../kernel/grantees/refresh-grantees.ts'
import { shareChannelGrantsLock } from '../kernel/locks/channel-grants-lock.queries.ts'
import { shareChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { assignTransactionId, reserveIds } from './id-sequence.queries.ts'
import { toImportError } from './import-error.rules.ts'
import { recordImport } from './pending-import.queries.ts'
import type { RecordKind, Sequence } from './record-kind.ts'
import { recordKinds } from './record-kinds.ts'
import { hasRecords, listPrivateChannels, storeRecords, sumUploadSpace } from './stored-records.queries.ts'

/** Records per statement: more would only use more memory. */
const BATCH_SIZE = 500

/**
 * Stores the records of an exported organization, all or none with the transaction. Its users must be known here, and
 * nothing else of it. Throws BAD_REQUEST if messaging has any other data of it, if an ID is taken, and for records
 * that refer to something outside the export.
 */
export async function importRecords(
  tx: Tx,
  realmId: number,
  records: AsyncIterable<MessagingRecord>,
): Promise<void> {
  await checkRealmIsEmpty(tx, realmId)
  await recordImport(tx, realmId)
  await assignTransactionId(tx)
  for await (const batch of batchesOf(records)) {
    const [{ kind }] = batch
    await storeBatch(tx, realmId, recordKinds[kind] as RecordKind, batch)
  }
  await sumUploadSpace(tx, realmId)
  // Last, because a change of a group waits for them, and with it the projections of all organizations.
  await shareChannelGrantsLock(tx, realmId)
  await shareChannelVisibilityLock(tx, realmId)
  for (const channel of await listPrivateChannels(tx, realmId)) await refreshGrantees(tx, channel)
}

/** Throws BAD_REQUEST if messaging has any data of the organization. */
export async function checkRealmIsEmpty(db: Queryable, realmId: number): Promise<void> {
  if (await hasRecords(db, realmId))
    throw badRequest('The organization has channels, messages or files here already')
}

type Batch = [MessagingRecord, ...MessagingRecord[]]

/** Groups consecutive records of one kind, a few hundred at a time. */
async function* batchesOf(records: AsyncIterable<MessagingRecord>): AsyncGenerator<Batch> {
  let batch: MessagingRecord[] = []
  for await (const record of records) {
    const [first] = batch
    if (first && (first.kind !== record.kind || batch.length === BATCH_SIZE)) {
      yield batch as Batch
      batch = []
    }
    batch.push(record)
  }
  if (batch.length > 0) yield batch as Batch
}

async function storeBatch(tx: Tx, realmId: number, kind: RecordKind, batch: Batch): Promise<void> {
  // First, so that none of these IDs is issued from now on.
  for (const [sequence, id] of highestIds(kind, batch)) await reserveIds(tx, sequence, id)
  const rows = batch.map((record) => ({ ...record, ...kind.derive?.(record) }))
  const strayIndex = await storeRecords(tx, realmId, kind, rows).catch((err) => {
    throw toImportError(err, kind.kind) ?? err
  })
  if (strayIndex === null) return
  throw badRequest(
    `${describeRecord(batch[strayIndex] ?? batch[0])} refers to something that is not in the export`,
  )
}

function highestIds(kind: RecordKind, batch: Batch): Map<Sequence, number> {
  const highest = new Map<Sequence, number>()
  for (const record of batch) {
    for (const [name, id] of Object.entries(kind.ids?.(record) ?? {})) {
      const sequence = name as Sequence
      highest.set(sequence, Math.max(highest.get(sequence) ?? 0, id))
    }
  }
  return highest
}

/** Describes a record as the export contains it. */
function describeRecord(record: MessagingRecord): string {
  const ids = Object.entries(record).filter(([field]) => /^id$|_id$/.test(field))
  return `The record ${JSON.stringify({ kind: record.kind, ...Object.fromEntries(ids) })}`
}
