import type { ExportScope, MessagingRecord } from '@tms/contracts'
import { readRows, type Tx } from '@tms/service-kit'
import { recordKinds } from './record-kinds.ts'

/**
 * All records of an organization, as one snapshot: the transaction must be a repeatable read. Only a few records are
 * in memory at once.
 */
export async function* exportRecords(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<MessagingRecord> {
  for (const { kind, isPersonal, list } of Object.values(recordKinds)) {
    if (isPersonal && scope === 'public') continue
    const rows = readRows<Omit<MessagingRecord, 'kind'>>(tx, list(scope), [realmId])
    for await (const row of rows) yield { kind, ...row } as MessagingRecord
  }
}
