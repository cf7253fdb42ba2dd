import { Readable } from 'node:stream'
import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { FileAnswer, type Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { checkFilter } from './audit-filter.ts'
import { csvHeader, toCsvLine } from './csv.ts'
import { readEntryPages } from './entries.queries.ts'

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const
/** When another attempt may succeed: an export of a usual log takes less. */
const RETRY_SECONDS = 10

/** Organizations whose log this replica sends to somebody now. */
const exporting = new Set<number>()

/**
 * Entries of the caller's organization as a file, as they are read; publishes that first. Throws BAD_REQUEST, and RATE_LIMIT_HIT while
 * the organization's log is being sent already.
 */
export const handleExportAuditLog: Handler<typeof endpoints.realm.exportAuditLog, Context> = async ({
  input: { format = 'csv', ...filters },
  caller: { realmId },
  context,
  requestId,
}) => {
  checkFilter(filters)
  refuseSecond(realmId)
  await context.transact((tx) =>
    publish(tx, domainEvents.realm.auditLogExported, { format, filters }, { realmId, requestId }),
  )
  const [header, toLine] = format === 'csv' ? [csvHeader, toCsvLine] : ['', JSON.stringify]
  const lines = async function* (): AsyncGenerator<string> {
    yield header
    for await (const page of readEntryPages(context.db, realmId, filters))
      yield page.map((entry) => `${toLine(entry)}\n`).join('')
  }
  return new FileAnswer({
    contentType: contentTypes[format],
    disposition: `attachment; filename="audit-log.${format}"`,
    size: null,
    tag: null,
    open: async () => {
      refuseSecond(realmId)
      exporting.add(realmId)
      return Readable.from(lines()).once('close', () => exporting.delete(realmId))
    },
  })
}

function refuseSecond(realmId: number): void {
  if (!exporting.has(realmId)) return
  const details = { 'retry-after': RETRY_SECONDS }
  throw new AppError('RATE_LIMIT_HIT', { message: 'The audit log is being exported already', details })
}
