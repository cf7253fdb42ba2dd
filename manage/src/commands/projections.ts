import type { Command } from 'commander'
import { describeProjections, keepers, progressOf } from '../projections.ts'
import { callerOf } from '../services.ts'
import { renderTable } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addProjections(program: Command, terminal: Terminal): void {
  const command = program
    .command('projections')
    .description('tell how far the services are with the facts of others that they keep')
  answerWith(command, terminal, async () => {
    const call = callerOf(terminal.env, keepers)
    const services = await Promise.all(
      keepers.map(async (service) => {
        const { offset, end_offset, positions, replay } = await describeProjections(call, service)
        // What came after the end was found is no lag.
        return { service, offset, end_offset, lag: Math.max(0, end_offset - offset), positions, replay }
      }),
    )
    const rows = services.map(({ service, offset, end_offset, lag, replay }) => [
      service,
      offset,
      end_offset,
      lag,
      replay ? progressOf(replay) : 'never',
    ])
    return {
      json: { services },
      text: renderTable(['SERVICE', 'OFFSET', 'END', 'LAG', 'LAST REPLAY'], rows),
    }
  })
}
