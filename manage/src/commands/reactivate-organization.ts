import type { Command } from 'commander'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf } from '../services.ts'
import { setActivity } from '../set-activity.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addReactivateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('reactivate-organization')
    .description('give an organization that was deactivated back to its people, as it was')
    .argument('<organization>', ORGANIZATION)
  answerWith(command, terminal, async ([called = '']) => {
    const call = callerOf(terminal.env, ['realm'])
    return setActivity(call, await getOrganization(call, called), true)
  })
}
