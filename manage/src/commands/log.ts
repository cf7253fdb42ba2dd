import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { callerOf } from '../services.ts'
import { renderTable } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addLog(program: Command, terminal: Terminal): void {
  const command = program
    .command('log')
    .description(
      'tell where the log of events ends, which replica owns each partition, and how far it is behind',
    )
  answerWith(command, terminal, async () => {
    const told = await callerOf(terminal.env, ['events'])(internal.events.describeLog, {})
    const { end, replicas } = told
    // What came after the end was found is no lag.
    const partitions = told.partitions.map((one) => ({
      ...one,
      lag: one.offset === null ? null : Math.max(0, end - one.offset),
    }))
    const rows = partitions.map(({ partition, owner, offset, lag, queues }) => [
      partition,
      owner ?? 'nobody',
      offset ?? '-',
      lag ?? '-',
      queues,
    ])
    const summary = `The log ends at offset ${end}; ${replicas.length} replicas of events live`
    return {
      json: { end, replicas, partitions },
      text: `${renderTable(['PARTITION', 'OWNER', 'OFFSET', 'LAG', 'QUEUES'], rows)}\n\n${summary}`,
    }
  })
}
