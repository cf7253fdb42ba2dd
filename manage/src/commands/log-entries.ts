import { allDomainEvents } from '@tms/contracts'
import type { Command } from 'commander'
import { startProgressLine } from '../archives/progress-line.ts'
import { UsageError } from '../failures.ts'
import type { Interruption } from '../interruption.ts'
import { type LoggedEntry, type LogSpan, readLog } from '../log/read-log.ts'
import { renderTable } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

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
      'show entries of the log of events as it is now, oldest first; with --json, with what they say. An interruption shows those that were found until then',
    )
    .option(
      '--from <where>',
      'which: "last", the newest; "first", the oldest that are kept; an offset, those from there on',
      'last',
    )
    .option('--limit <number>', `how many at most, up to ${MAX_ENTRIES}`, '50')
    .option('--event <name>', 'only those of this name, as in messaging.message_sent.v1')
    .option('--organization <ID>', 'only those of an organization, by its ID (see list-organizations)')
  answerWith<Options>(command, terminal, async (_, options) => {
    const span = spanOf(options)
    const line = startProgressLine(terminal)
    const { signal, outlast } = interruption
    const reading = readLog(terminal.env, span, { signal, onProgress: line.show }).finally(line.end)
    outlast(reading, null)
    const entries = await reading
    if (entries.length === 0) signal.throwIfAborted()
    return { json: { entries }, text: render(entries), isCut: signal.aborted }
  })
}

function spanOf({ from, limit, event, organization }: Options): LogSpan {
  const entries = readNumber('--limit', limit)
  if (entries < 1 || entries > MAX_ENTRIES) throw new UsageError(`--limit is from 1 to ${MAX_ENTRIES}`)
  return {
    from: from === 'first' || from === 'last' ? from : readOffset(from),
    limit: entries,
    event: event === undefined ? null : readEvent(event),
    realmId: organization === undefined ? null : readNumber('--organization', organization),
  }
}

function readOffset(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`--from: '${text}' is no offset, which is a number from 0 on, nor "first" or "last"`)
  return Number(text)
}

/** The name of an event that there is. */
function readEvent(text: string): string {
  const names = allDomainEvents.map(({ name }) => name)
  if (names.includes(text)) return text
  const similar = names.filter((name) => name.includes(text))
  const told = similar.length > 0 ? similar : names
  throw new UsageError(`--event: there is no event '${text}'; there are\n${told.sort().join('\n')}`)
}

function readNumber(option: string, text: string): number {
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
  return renderTable(['OFFSET', 'STREAM', 'PLACE', 'ORGANIZATION', 'EVENT', 'REQUEST'], rows)
}
