import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { registerAction, type Terminal } from '../command-action.ts'
import { getOrganization, ORGANIZATION_HELP } from '../organizations.ts'
import { choosePassword, PASSWORD_AS_GIVEN, PASSWORD_STDIN_HELP } from '../passwords.ts'
import { createServiceCaller } from '../service-clients.ts'
import { renderDetails } from '../table.ts'

export function addResetPassword(program: Command, terminal: Terminal): void {
  const command = program
    .command('reset-password')
    .description('set a new password for a user, who is informed by mail')
    .argument('<organization>', ORGANIZATION_HELP)
    .argument('<address>', 'e-mail address of the account')
    .option('--password-stdin', PASSWORD_STDIN_HELP)
  registerAction<{ passwordStdin?: boolean }>(
    command,
    terminal,
    async ([organizationName = '', email = ''], options) => {
      const call = createServiceCaller(terminal.env, ['realm', 'users'])
      const { realm_id } = await getOrganization(call, organizationName)
      const { password, printable } = await choosePassword(terminal, options.passwordStdin ?? false)
      const { user_id } = await call(internal.users.setPassword, { realm_id, email, password })
      return {
        json: { user: { id: user_id, email, password: printable } },
        text: renderDetails([
          ['E-mail', email],
          ['Password', printable ?? PASSWORD_AS_GIVEN],
        ]),
      }
    },
  )
}
