import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

export function addCreateScimToken(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-scim-token')
    .description("create an organization's token for provisioning (SCIM); the one before is no longer valid")
    .argument('<organization>', ORGANIZATION_HELP)
  registerAction(command, terminal, async ([organizationName = '']) => {
    const call = createServiceCaller(terminal.env, ['realm', 'users'])
    const { realm_id } = await getOrganization(call, organizationName)
    const { scim_url, scim_token } = await call(internal.users.replaceScimToken, { realm_id })
    return {
      json: { scim_url, scim_token },
      text: renderDetails([
        ['Address', scim_url],
        ['Token, shown only now', scim_token],
      ]),
    }
  })
}
