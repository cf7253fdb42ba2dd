import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { CommandError } from '../failures.ts'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addSettings(program: Command, terminal: Terminal): void {
  const command = program
    .command('settings')
    .description('list the settings of an organization')
    .argument('<organization>', ORGANIZATION)
    .argument('[settings...]', 'only these')
  answerWith(command, terminal, async (args) => {
    const [called, wanted] = args as unknown as [string, string[]]
    const call = callerOf(terminal.env, ['realm'])
    const { realm_id } = await getOrganization(call, called)
    const { settings } = await call(internal.realm.getRealmSettings, { realm_id })
    const unknown = wanted.filter((name) => !(name in settings))
    if (unknown.length > 0) throw new CommandError(`There is no setting ${unknown.join(', ')}`)
    const shown = Object.entries(settings)
      .filter(([name]) => wanted.length === 0 || wanted.includes(name))
      .sort(([one], [other]) => one.localeCompare(other))
    return {
      json: { settings: Object.fromEntries(shown) },
      text: renderDetails(shown.map(([name, value]) => [name, JSON.stringify(value)])),
    }
  })
}
