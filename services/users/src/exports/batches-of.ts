import type { UsersRecord, UsersRecordOf } from '@tms/contracts'

/** Records per statement: fewer cost round trips, more cost memory, since an account may have a hundred kilobytes. */
const MAX_RECORDS = 200
/** Limit for bots' stored values, of which one may have a megabyte. */
const MAX_STORED_CHARACTERS = 2_000_000

export type Batch = {
  [Kind in UsersRecord['kind']]: { readonly kind: Kind; readonly records: readonly UsersRecordOf<Kind>[] }
}[UsersRecord['kind']]

/** Groups consecutive records of one kind into batches for one statement each. */
export async function* batchesOf(records: AsyncIterable<UsersRecord>): AsyncGenerator<Batch> {
  let pending: UsersRecord[] = []
  let stored = 0
  for await (const record of records) {
    const [first] = pending
    const isFull = pending.length === MAX_RECORDS || stored >= MAX_STORED_CHARACTERS
    if (first && (first.kind !== record.kind || isFull)) {
      yield { kind: first.kind, records: pending } as Batch
      pending = []
      stored = 0
    }
    pending.push(record)
    if (record.kind === 'bot_storage') stored += record.value.length
  }
  const [first] = pending
  if (first) yield { kind: first.kind, records: pending } as Batch
}
