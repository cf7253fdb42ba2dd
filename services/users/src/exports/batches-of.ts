import type { UsersRecord, UsersRecordOf } from '@tms/contracts'

/** Records in one statement: fewer cost round trips, more memory, since an account may have a hundred kilobytes. */
const MAX_RECORDS = 200
/** The same of what bots have stored, of which one record may have a megabyte. */
const MAX_STORED_CHARACTERS = 2_000_000

/** Records of one kind. */
export type Batch = {
  [Kind in UsersRecord['kind']]: { readonly kind: Kind; readonly records: readonly UsersRecordOf<Kind>[] }
}[UsersRecord['kind']]

/** The records in their order, those together that are of one kind, as many as are written at once. */
export async function* batchesOf(records: AsyncIterable<UsersRecord>): AsyncGenerator<Batch> {
  let begun: UsersRecord[] = []
  let stored = 0
  for await (const record of records) {
    const [first] = begun
    const isFull = begun.length === MAX_RECORDS || stored >= MAX_STORED_CHARACTERS
    if (first && (first.kind !== record.kind || isFull)) {
      yield { kind: first.kind, records: begun } as Batch
      begun = []
      stored = 0
    }
    begun.push(record)
    if (record.kind === 'bot_storage') stored += record.value.length
  }
  const [first] = begun
  if (first) yield { kind: first.kind, records: begun } as Batch
}
