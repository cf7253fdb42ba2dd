import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { CommandError } from '../kernel/errors.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

export function addSettings(program: Command, terminal: Terminal): void {
  const command = program
    .command('settings')
    .description('list the settings of an organization')
    .argument('<organization>', ORGANIZATION_HELP)
    .argument('[settings...]', 'only these settings')
  registerAction(command, terminal, async (args) => {
    const [organizationName, requested] = args as unknown as [string, string[]]
    const call = createServiceCaller(terminal.env, ['realm'])
    const { realm_id } = await getOrganization(call, organizationName)
    const { settings } = await call(internal.realm.getRealmSettings, { realm_id })
    const unknown = requested.filter((name) => !(name in settings))
    if (unknown.length > 0) throw new CommandError(`Unknown setting: ${unknown.join(', ')}`)
    const shown = Object.entries(settings)
      .filter(([name]) => requested.length === 0 || requested.includes(name))
      .sort(([one], [other]) => one.localeCompare(other))
    return {
      json: { settings: Object.fromEntries(shown) },
      text: renderDetails(shown.map(([name, value]) => [name, JSON.stringify(value)])),
    }
  })
}
