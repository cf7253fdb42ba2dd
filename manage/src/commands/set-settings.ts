import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addSetSettings(program: Command, terminal: Terminal): void {
  const command = program
    .command('set')
    .description('change settings of an organization: all that are named, or none')
    .argument('<organization>', ORGANIZATION)
    .argument('<settings...>', 'name=value, with values as PATCH /realm takes them')
  answerWith(command, terminal, async (args) => {
    const [called, pairs] = args as unknown as [string, string[]]
    const settings = readPairs(pairs)
    const call = callerOf(terminal.env, ['realm'])
    const { realm_id } = await getOrganization(call, called)
    const { changes } = await call(internal.realm.changeRealmSettings, { realm_id, settings })
    const changed = Object.entries(changes)
    return {
      json: { changes },
      text:
        changed.length === 0
          ? 'Nothing changed: all was so already.'
          : renderDetails(changed.map(([name, value]) => [name, JSON.stringify(value)])),
    }
  })
}

function readPairs(pairs: readonly string[]): Record<string, string> {
  const settings = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`'${pair}' is not name=value`)
    const name = pair.slice(0, at)
    if (settings.has(name)) throw new UsageError(`${name} is named twice`)
    settings.set(name, pair.slice(at + 1))
  }
  return Object.fromEntries(settings)
}
