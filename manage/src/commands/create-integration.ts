import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getChosenOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly channel?: string
  readonly topic?: string
  readonly botName?: string
  readonly owner?: string
  readonly organization?: string
}

export function addCreateIntegration(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-integration')
    .description('create an address at which a program, such as Alertmanager, posts messages as a bot')
    .argument('<integration>', 'such as alertmanager, github or grafana; a wrong name lists all of them')
    .option('--channel <channel>', 'name or ID of the channel; without it the bot writes to its owner')
    .option('--topic <topic>', 'topic of all messages, rather than those that the integration chooses')
    .option('--bot-name <name>', 'full name of the bot, rather than the name of the integration')
    .option(
      '--owner <address>',
      "e-mail address of the bot's owner, who is notified of failures; by default an owner of the organization",
    )
    .option('--organization <organization>', `${ORGANIZATION_HELP}; may be left out if there is only one`)
  registerAction<Options>(
    command,
    terminal,
    async ([integration = ''], { channel, topic, botName, owner: email, organization }) => {
      const call = createServiceCaller(terminal.env, ['realm', 'users', 'messaging'])
      const { realm_id } = await getChosenOrganization(call, organization)
      const owner = await call(internal.users.findBotOwner, { realm_id, email: email ?? null })
      const created = await call(internal.messaging.setUpIntegration, {
        ...{ realm_id, user_id: owner.user_id, role: owner.role, integration },
        ...{ channel: channel ?? null, topic: topic ?? null, bot_name: botName ?? null },
      })
      const { user_id: id, full_name: name, url, setup } = created
      const details = renderDetails([
        ['Bot', `${name} (ID ${id})`],
        ['Owner', owner.full_name],
        ['Address', url],
      ])
      return {
        json: { integration: { bot: { id, name }, owner: { id: owner.user_id }, url, setup } },
        text: `${details}\n\n${setup}`,
      }
    },
  )
}
