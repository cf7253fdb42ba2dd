import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { choosePassword, PASSWORD_AS_GIVEN, PASSWORD_STDIN_HELP } from '../terminal/passwords.ts'
import { renderDetails } from '../terminal/table.ts'

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
