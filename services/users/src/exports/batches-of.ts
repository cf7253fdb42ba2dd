import type { UsersRecord, UsersRecordOf } from '@tms/contracts'

/** Records in one statement: fewer cost round trips, more memory, since an account may have a hundred kilobytes. */
const MAX_RECORDS = 200

/** Records of one kind. */
export type Batch = {
  [Kind in UsersRecord['kind']]: { readonly kind: Kind; readonly records: readonly UsersRecordOf<Kind>[] }
}[UsersRecord['kind']]

/** The records in their order, those together that are of one kind, as many as are written at once. */
export async function* batchesOf(records: AsyncIterable<UsersRecord>): AsyncGenerator<Batch> {
  let begun: UsersRecord[] = []
  for await (const record of records) {
    const [first] = begun
    if (first && (first.kind !== record.kind || begun.length === MAX_RECORDS)) {
      yield { kind: first.kind, records: begun } as Batch
      begun = []
    }
    begun.push(record)
  }
  const [first] = begun
  if (first) yield { kind: first.kind, records: begun } as Batch
}
