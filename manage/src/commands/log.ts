import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderTable } from '../terminal/table.ts'

export function addLog(program: Command, terminal: Terminal): void {
  const command = program
    .command('log')
    .description('show the end of the event log, and the owner and lag of each partition')
  registerAction(command, terminal, async () => {
    const status = await createServiceCaller(terminal.env, ['events'])(internal.events.describeLog, {})
    const { end, replicas } = status
    // Partitions may have read entries that were written after the end was determined.
    const partitions = status.partitions.map((one) => ({
      ...one,
      lag: one.offset === null ? null : Math.max(0, end - one.offset),
    }))
    const rows = partitions.map(({ partition, owner, offset, lag, queues }) => [
      partition,
      owner ?? '-',
      offset ?? '-',
      lag ?? '-',
      queues,
    ])
    const summary = `The log ends at offset ${end}; live replicas of events: ${replicas.length}`
    return {
      json: { end, replicas, partitions },
      text: `${renderTable(['PARTITION', 'OWNER', 'OFFSET', 'LAG', 'QUEUES'], rows)}\n\n${summary}`,
    }
  })
}
