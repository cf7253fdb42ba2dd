import { type Call, formCall } from '../load/http-call.ts'
import { asCount, asMs } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, senderOf, underLoad } from './bench.ts'

const RANGE = 1_000

/** Bulk changes of message flags in a large history. */
export async function measureFlags(bench: Bench): Promise<SectionResult> {
  const { sizes, population } = bench
  const { channelId } = await population.history(sizes.historyMessages)
  const authorization = authorizationOf(senderOf(population))
  const post = (path: string, fields: Record<string, string>): Call =>
    formCall(portOf(bench.system.baseUrl), `/api/v1${path}`, authorization, fields)
  const ofRange = (op: string, flag: string): Call =>
    post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: String(RANGE),
      num_after: '0',
      narrow: JSON.stringify([{ operator: 'channel', operand: channelId }]),
      op,
      flag,
    })
  // Alternating, so that each call changes something.
  const calls: Readonly<Record<string, Call>> = {
    'a star on 1,000': ofRange('add', 'starred'),
    'and off again': ofRange('remove', 'starred'),
    '1,000 unread': ofRange('remove', 'read'),
    'and read again': ofRange('add', 'read'),
    'everything read': post('/mark_all_as_read', {}),
  }
  const { result } = await underLoad(bench, 'flags of many messages', (load) =>
    load.call('sendInTurns', { calls: Object.values(calls), rounds: sizes.flagRounds }),
  )
  const measured = Object.keys(calls).map((name, i) => ({ name, ...spreadOf(result[i] ?? []) }))
  return {
    tables: [
      {
        title: `Flags of many messages, of ${asCount(sizes.historyMessages)}`,
        columns: ['change', 'times', 'p50', 'p99'],
        rows: measured.map(({ name, count, p50, p99 }) => [name, asCount(count), asMs(p50), asMs(p99)]),
        notes: ['through the gateway; everything: 200 channels, 50 conversations'],
      },
    ],
    data: { measured },
  }
}
