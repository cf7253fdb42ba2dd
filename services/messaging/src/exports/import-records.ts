import { badRequest, type MessagingRecord } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { beginPassingIds, passIds } from './id-sequence.queries.ts'
import type { RecordKind, Sequence } from './record-kind.ts'
import { recordKinds } from './record-kinds.ts'
import { refusalOf } from './refusal.rules.ts'
import { hasRecords, storeRecords, sumUploadSpace } from './stored-records.queries.ts'
import { noteImport } from './unopened-import.queries.ts'

/** Records that one statement stores: more would only hold more in memory. */
const BATCH_SIZE = 500

/**
 * Stores what an export holds of an organization, all of it with the transaction or nothing. Its users must be known
 * here, and nothing else of it. Throws BAD_REQUEST when there is something of it, when an ID is taken, and for records
 * that refer to what is not in the export.
 */
export async function importRecords(
  tx: Tx,
  realmId: number,
  records: AsyncIterable<MessagingRecord>,
): Promise<void> {
  await checkUnused(tx, realmId)
  await noteImport(tx, realmId)
  await beginPassingIds(tx)
  for await (const batch of batchesOf(records)) {
    const [{ kind }] = batch
    await storeBatch(tx, realmId, recordKinds[kind] as RecordKind, batch)
  }
  await sumUploadSpace(tx, realmId)
}

/** Throws BAD_REQUEST when messaging has something of the organization. */
export async function checkUnused(db: Queryable, realmId: number): Promise<void> {
  if (await hasRecords(db, realmId))
    throw badRequest('The organization has channels, messages or files here already')
}

type Batch = [MessagingRecord, ...MessagingRecord[]]

/** Records of one kind that follow each other, a few hundred at a time. */
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
  // First, so that nobody is given one of these IDs from now on.
  for (const [sequence, id] of highestIds(kind, batch)) await passIds(tx, sequence, id)
  const rows = batch.map((record) => ({ ...record, ...kind.derive?.(record) }))
  const stray = await storeRecords(tx, realmId, kind, rows).catch((err) => {
    throw refusalOf(err, kind.kind) ?? err
  })
  if (stray === null) return
  throw badRequest(`${nameOf(batch[stray] ?? batch[0])} refers to something that is not in the export`)
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

/** A record as people find it in the export. */
function nameOf(record: MessagingRecord): string {
  const ids = Object.entries(record).filter(([field]) => /^id$|_id$/.test(field))
  return `The record ${JSON.stringify({ kind: record.kind, ...Object.fromEntries(ids) })}`
}
