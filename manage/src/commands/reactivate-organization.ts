import type { Command } from 'commander'
import { registerAction, type Terminal } from '../command-action.ts'
import { getOrganization, ORGANIZATION_HELP } from '../organizations.ts'
import { createServiceCaller } from '../service-clients.ts'
import { setOrganizationActivity } from '../set-activity.ts'

export function addReactivateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('reactivate-organization')
    .description('reactivate a deactivated organization, with all of its data')
    .argument('<organization>', ORGANIZATION_HELP)
  registerAction(command, terminal, async ([organizationName = '']) => {
    const call = createServiceCaller(terminal.env, ['realm'])
    return setOrganizationActivity(call, await getOrganization(call, organizationName), true)
  })
}
