import type { ExportScope } from '@tms/contracts'
import { readRows, type Tx } from '@tms/service-kit'
import { attachmentKind } from './file-kinds.queries.ts'
import { messagesIn, withConsent } from './record-parts.queries.ts'

/**
 * Flags and reactions, counted by the organization of their messages: per message they would be a third of the
 * export's cost.
 */
const ofMessages = (table: string): string =>
  `(select count(*) from ${table} t join messages m on m.id = t.message_id where m.realm_id = $1)`

/** Approximate number of records of an export: only kinds with many records count. */
export async function countRecords(tx: Tx, realmId: number, scope: ExportScope): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `${withConsent(scope)}
     select (select count(*) from channels join subscriptions on channel_id = channels.id where realm_id = $1)
          + (select count(*) from ${messagesIn(scope)})
          + ${ofMessages('reactions')}
          + ${scope === 'public' ? '0' : ofMessages('message_flags')} as count`,
    [realmId],
  )
  return rows[0]?.count ?? 0
}

/** The path IDs of the files in an export. */
export async function* listExportedPathIds(
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<string> {
  const sql = `select path_id as "pathId" from (${attachmentKind.list(scope)}) as files`
  for await (const { pathId } of readRows<{ pathId: string }>(tx, sql, [realmId])) yield pathId
}
