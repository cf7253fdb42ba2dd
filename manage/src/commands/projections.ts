import type { Command } from 'commander'
import { formatReplay, getProjectionsStatus, projectionServices } from '../services/projections.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderTable } from '../terminal/table.ts'

export function addProjections(program: Command, terminal: Terminal): void {
  const command = program
    .command('projections')
    .description(
      'show the projection status of each service: how far it has read other services’ changes, and its last replay',
    )
  registerAction(command, terminal, async () => {
    const call = createServiceCaller(terminal.env, projectionServices)
    const services = await Promise.all(
      projectionServices.map(async (service) => {
        const { offset, end_offset, positions, replay } = await getProjectionsStatus(call, service)
        // The service may have read entries that were written after the end was determined.
        return { service, offset, end_offset, lag: Math.max(0, end_offset - offset), positions, replay }
      }),
    )
    const rows = services.map(({ service, offset, end_offset, lag, replay }) => [
      service,
      offset,
      end_offset,
      lag,
      replay ? formatReplay(replay) : 'never',
    ])
    return {
      json: { services },
      text: renderTable(['SERVICE', 'OFFSET', 'END', 'LAG', 'LAST REPLAY'], rows),
    }
  })
}
