import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { AS_GIVEN, choosePassword, PASSWORD_STDIN } from '../passwords.ts'
import { callerOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

export function addResetPassword(program: Command, terminal: Terminal): void {
  const command = program
    .command('reset-password')
    .description('give a person another password, of which they are told by mail')
    .argument('<organization>', ORGANIZATION)
    .argument('<address>', 'e-mail address of their account')
    .option('--password-stdin', PASSWORD_STDIN)
  answerWith<{ passwordStdin?: boolean }>(command, terminal, async ([called = '', email = ''], options) => {
    const call = callerOf(terminal.env, ['realm', 'users'])
    const { realm_id } = await getOrganization(call, called)
    const { password, told } = await choosePassword(terminal, options.passwordStdin ?? false)
    const { user_id } = await call(internal.users.setPassword, { realm_id, email, password })
    return {
      json: { user: { id: user_id, email, password: told } },
      text: renderDetails([
        ['E-mail', email],
        ['Password', told ?? AS_GIVEN],
      ]),
    }
  })
}
