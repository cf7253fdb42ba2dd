import { internal, Role } from '@tms/contracts'
import type { Command } from 'commander'
import { CommandError } from '../kernel/errors.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { choosePassword, PASSWORD_AS_GIVEN, PASSWORD_STDIN_HELP } from '../terminal/passwords.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly name: string
  readonly passwordStdin?: boolean
}

export function addCreateOwner(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-owner')
    .description('create an account that owns an organization')
    .argument('<organization>', ORGANIZATION_HELP)
    .argument('<address>', 'e-mail address')
    .option('--name <name>', 'full name', 'Organization Owner')
    .option('--password-stdin', PASSWORD_STDIN_HELP)
  registerAction<Options>(
    command,
    terminal,
    async ([organizationName = '', email = ''], { name, passwordStdin }) => {
      const call = createServiceCaller(terminal.env, ['realm', 'users'])
      const { realm_id, url } = await getOrganization(call, organizationName)
      const { password, printable } = await choosePassword(terminal, passwordStdin ?? false)
      const account = await call(internal.users.ensureUser, {
        realm_id,
        email,
        password,
        full_name: name,
        role: Role.owner,
      })
      if (!account.is_new)
        throw new CommandError(
          `${email} has an account there already (ID ${account.user_id}), which stays unchanged: an owner can change its role, and reset-password its password`,
        )
      return {
        json: { owner: { id: account.user_id, email, password: printable, api_key: account.api_key } },
        text: renderDetails([
          ['Address', url],
          ['E-mail', email],
          ['Password', printable ?? PASSWORD_AS_GIVEN],
          ['API key', account.api_key],
        ]),
      }
    },
  )
}
