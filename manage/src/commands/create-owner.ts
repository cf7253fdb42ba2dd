import { internal, Role } from '@tms/contracts'
import type { Command } from 'commander'
import { CommandError } from '../failures.ts'
import { getOrganization, ORGANIZATION } from '../organizations.ts'
import { AS_GIVEN, choosePassword, PASSWORD_STDIN } from '../passwords.ts'
import { callerOf } from '../services.ts'
import { renderDetails } from '../table.ts'
import { answerWith, type Terminal } from '../tools.ts'

interface Options {
  readonly name: string
  readonly passwordStdin?: boolean
}

export function addCreateOwner(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-owner')
    .description('create an account that owns an organization')
    .argument('<organization>', ORGANIZATION)
    .argument('<address>', 'e-mail address')
    .option('--name <name>', 'full name', 'Organization Owner')
    .option('--password-stdin', PASSWORD_STDIN)
  answerWith<Options>(command, terminal, async ([called = '', email = ''], { name, passwordStdin }) => {
    const call = callerOf(terminal.env, ['realm', 'users'])
    const { realm_id, url } = await getOrganization(call, called)
    const { password, told } = await choosePassword(terminal, passwordStdin ?? false)
    const account = await call(internal.users.ensureUser, {
      realm_id,
      email,
      password,
      full_name: name,
      role: Role.owner,
    })
    if (!account.is_new)
      throw new CommandError(
        `${email} has an account there already (ID ${account.user_id}), which stays as it is: an owner can give it another role, and reset-password another password`,
      )
    return {
      json: { owner: { id: account.user_id, email, password: told, api_key: account.api_key } },
      text: renderDetails([
        ['Address', url],
        ['E-mail', email],
        ['Password', told ?? AS_GIVEN],
        ['API key', account.api_key],
      ]),
    }
  })
}
