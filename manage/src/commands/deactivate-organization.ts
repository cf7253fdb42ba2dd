import type { Command } from 'commander'
import { confirm, YES } from '../confirm.ts'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { callerOf } from '../services.ts'
import { setActivity } from '../set-activity.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addDeactivateOrganization(program: Command, terminal: Terminal): void {
  const command = program
    .command('deactivate-organization')
    .description(
      'deactivate an organization: nobody can use it, and nothing of it is lost, until reactivate-organization',
    )
    .argument('<organization>', ORGANIZATION)
    .option('--yes', YES)
  answerWith<{ yes?: boolean }>(command, terminal, async ([called = ''], { yes }) => {
    const call = callerOf(terminal.env, ['realm'])
    const organization = await getOrganization(call, called)
    // Also for one that is deactivated: asking again completes what could be done only by half.
    await confirm(
      terminal,
      `Deactivate "${organization.name}" at ${organization.url}? All of its people and bots are shut out.`,
      yes ?? false,
    )
    return setActivity(call, organization, false)
  })
}
