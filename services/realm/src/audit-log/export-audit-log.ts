import { Readable } from 'node:stream'
import { domainEvents, type endpoints } from '@tms/contracts'
import { FileAnswer, type Handler, streamSnapshot } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { checkFilter } from './audit-filter.ts'
import { csvHeader, toCsvLine } from './csv.ts'
import { readEntries } from './entries.queries.ts'

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const
/** Larger pieces save writes; a smaller one keeps less in memory. */
const PIECE_LENGTH = 65_536

/** Entries of the caller's organization as a file, as they are read; publishes that first. Throws BAD_REQUEST. */
export const handleExportAuditLog: Handler<typeof endpoints.realm.exportAuditLog, Context> = async ({
  input: { format = 'csv', ...filters },
  caller: { realmId },
  context,
  requestId,
}) => {
  checkFilter(filters)
  await context.transact((tx) =>
    publish(tx, domainEvents.realm.auditLogExported, { format, filters }, { realmId, requestId }),
  )
  const [header, toLine] = format === 'csv' ? [csvHeader, toCsvLine] : ['', JSON.stringify]
  const lines = async function* (): AsyncGenerator<string> {
    let piece = header
    for await (const entry of streamSnapshot(context.db, (tx) => readEntries(tx, realmId, filters))) {
      piece += `${toLine(entry)}\n`
      if (piece.length < PIECE_LENGTH) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  return new FileAnswer({
    contentType: contentTypes[format],
    disposition: `attachment; filename="audit-log.${format}"`,
    size: null,
    tag: null,
    open: async () => Readable.from(lines()),
  })
}
