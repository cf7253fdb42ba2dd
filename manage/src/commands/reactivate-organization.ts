import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { setOrganizationActivity } from './set-activity.ts'

export function addReactivateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('reactivate-organization')
    .description(
      'reactivate a deactivated organization, with all of its data; it will not be deleted any more',
    )
    .argument('<organization>', ORGANIZATION_HELP)
  registerAction(command, terminal, async ([organizationName = '']) => {
    const call = createServiceCaller(terminal.env, ['realm'])
    return setOrganizationActivity(call, await getOrganization(call, organizationName), true)
  })
}
