import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { confirm, YES_HELP } from '../terminal/confirm.ts'
import { setOrganizationActivity } from './set-activity.ts'

export function addDeactivateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('deactivate-organization')
    .description(
      'deactivate an organization: nobody can use it until reactivate-organization; its data are kept',
    )
    .argument('<organization>', ORGANIZATION_HELP)
    .option('--yes', YES_HELP)
  registerAction<{ yes?: boolean }>(command, terminal, async ([organizationName = ''], { yes }) => {
    const call = createServiceCaller(terminal.env, ['realm'])
    const organization = await getOrganization(call, organizationName)
    // Also if it is deactivated already: repeating the request completes one that was cut short.
    await confirm(
      terminal,
      `Deactivate "${organization.name}" at ${organization.url}? All of its users and bots lose access.`,
      yes ?? false,
    )
    return setOrganizationActivity(call, organization, false)
  })
}
