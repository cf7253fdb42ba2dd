import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

export function addAllowEmailChanges(program: Command, terminal: Terminal): void {
  const command = program
    .command('allow-email-changes')
    .description("let an administrator change other users' e-mail addresses, without a confirmation")
    .argument('<organization>', ORGANIZATION_HELP)
    .argument('<address>', 'e-mail address of the administrator')
    .option('--revoke', 'no longer')
  registerAction<{ revoke?: boolean }>(
    command,
    terminal,
    async ([organizationName = '', email = ''], { revoke = false }) => {
      const call = createServiceCaller(terminal.env, ['realm', 'users'])
      const { realm_id } = await getOrganization(call, organizationName)
      const right = { realm_id, email, is_granted: !revoke }
      const { user_id } = await call(internal.users.setEmailChangeRight, right)
      return {
        json: { user: { id: user_id, email, can_change_user_emails: !revoke } },
        text: renderDetails([
          ['E-mail', email],
          ["Changes others' addresses", revoke ? 'no' : 'yes, while an administrator'],
        ]),
      }
    },
  )
}
