import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { UsageError } from '../kernel/errors.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

export function addSetSettings(program: Command, terminal: Terminal): void {
  const command = program
    .command('set')
    .description('change settings of an organization, all or none of those given')
    .argument('<organization>', ORGANIZATION_HELP)
    .argument('<settings...>', 'name=value, with values as in PATCH /realm')
  registerAction(command, terminal, async (args) => {
    const [organizationName, pairs] = args as unknown as [string, string[]]
    const settings = parseSettings(pairs)
    const call = createServiceCaller(terminal.env, ['realm'])
    const { realm_id } = await getOrganization(call, organizationName)
    const { changes } = await call(internal.realm.changeRealmSettings, { realm_id, settings })
    const changed = Object.entries(changes)
    return {
      json: { changes },
      text:
        changed.length === 0
          ? 'Nothing changed: all settings have these values already.'
          : renderDetails(changed.map(([name, value]) => [name, JSON.stringify(value)])),
    }
  })
}

function parseSettings(pairs: readonly string[]): Record<string, string> {
  const settings = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`'${pair}' is not name=value`)
    const name = pair.slice(0, at)
    if (settings.has(name)) throw new UsageError(`${name} is given twice`)
    settings.set(name, pair.slice(at + 1))
  }
  return Object.fromEntries(settings)
}
