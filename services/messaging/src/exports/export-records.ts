import type { MessagingRecord } from '@tms/contracts'
import type { Tx } from '@tms/service-kit'
import { readByCursor } from './cursor.queries.ts'
import type { ExportScope } from './record-kind.ts'
import { recordKinds } from './record-kinds.ts'

/**
 * What messaging has of an organization, as one snapshot: the transaction must be a repeatable read. Few records are in
 * memory at once, whatever their number.
 */
export async function* exportRecords(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<MessagingRecord> {
  for (const { kind, isPersonal, list } of Object.values(recordKinds)) {
    if (isPersonal && scope === 'public') continue
    const rows = readByCursor<Omit<MessagingRecord, 'kind'>>(tx, list(scope), [realmId])
    for await (const row of rows) yield { kind, ...row } as MessagingRecord
  }
}
