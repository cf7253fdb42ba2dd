import { allDomainEvents } from '@tms/contracts'
import type { Command } from 'commander'
import { UsageError } from '../kernel/errors.ts'
import { type LoggedEntry, type LogQuery, readLog } from '../log/read-log.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { startProgressLine } from '../terminal/progress-line.ts'
import { renderTable } from '../terminal/table.ts'

interface Options {
  readonly from: string
  readonly limit: string
  readonly event?: string
  readonly organization?: string
}

const MAX_ENTRIES = 10_000

export function addLogEntries(program: Command, terminal: Terminal, interruption: Interruption): void {
  const command = program
    .command('log-entries')
    .description(
      'show entries of the event log, oldest first (--json: with their payloads); entries written after the start are not shown. Ctrl-C shows the entries found so far',
    )
    .option(
      '--from <where>',
      'where to start: "last" (the newest entries), "first" (the oldest retained entry), or an offset',
      'last',
    )
    .option('--limit <number>', `maximum number of entries, up to ${MAX_ENTRIES}`, '50')
    .option('--event <name>', 'only events with this name, for example messaging.message_sent.v1')
    .option('--organization <ID>', 'only events of the organization with this ID (see list-organizations)')
  registerAction<Options>(command, terminal, async (_, options) => {
    const query = parseQuery(options)
    const line = startProgressLine(terminal)
    const { signal, finishBeforeExit } = interruption
    const reading = readLog(terminal.env, query, { signal, onProgress: line.show }).finally(line.end)
    finishBeforeExit(reading, null)
    const entries = await reading
    if (entries.length === 0) signal.throwIfAborted()
    return { json: { entries }, text: render(entries), isPartial: signal.aborted }
  })
}

function parseQuery({ from, limit, event, organization }: Options): LogQuery {
  const entries = parseNumber('--limit', limit)
  if (entries < 1 || entries > MAX_ENTRIES)
    throw new UsageError(`--limit must be between 1 and ${MAX_ENTRIES}`)
  return {
    from: from === 'first' || from === 'last' ? from : parseOffset(from),
    limit: entries,
    event: event === undefined ? null : parseEventName(event),
    realmId: organization === undefined ? null : parseNumber('--organization', organization),
  }
}

function parseOffset(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`--from: '${text}' is not an offset (0 or greater), "first" or "last"`)
  return Number(text)
}

/** Throws unless an event has this name; the error lists the names that contain the text, else all. */
function parseEventName(text: string): string {
  const names = allDomainEvents.map(({ name }) => name)
  if (names.includes(text)) return text
  const similar = names.filter((name) => name.includes(text))
  const suggestions = similar.length > 0 ? similar : names
  throw new UsageError(`--event: unknown event '${text}'; known events:\n${suggestions.sort().join('\n')}`)
}

function parseNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option}: '${text}' is not a number`)
  return Number(text)
}

function render(entries: readonly LoggedEntry[]): string {
  const rows = entries.map(({ offset, stream, seq, realm_id, event, request_id }) => [
    offset,
    stream,
    seq,
    realm_id,
    event,
    request_id ?? '',
  ])
  return renderTable(['OFFSET', 'STREAM', 'SEQ', 'ORGANIZATION', 'EVENT', 'REQUEST'], rows)
}
