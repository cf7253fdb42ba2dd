import { internal } from '@tms/contracts'
import type { Command } from 'commander'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly user: string
  readonly digest?: true
}

export function addNotifyTest(program: Command, terminal: Terminal): void {
  const command = program
    .command('notify-test')
    .description('send a user a trial mail, and a notification to each device, and say what happened')
    .argument('<organization>', ORGANIZATION_HELP)
    .requiredOption('--user <address>', 'e-mail address of the account')
    .option('--digest', 'send the digest of the last week instead')
  registerAction<Options>(command, terminal, async ([organizationName = ''], { user: email, digest }) => {
    const call = createServiceCaller(terminal.env, ['realm', 'users'])
    const { realm_id } = await getOrganization(call, organizationName)
    if (digest) {
      const tried = await call(internal.users.mailTestDigest, { realm_id, email })
      return {
        json: { digest: { ...tried, email } },
        text: renderDetails(detailsOf(email, tried)),
        ...failureOf([tried.failure]),
      }
    }
    const tried = await call(internal.users.mailTestNotification, { realm_id, email })
    const { user_id, destination, failure, reply_address, obstacles, pushes, push_obstacles } = tried
    return {
      json: {
        mail: { user_id, email, destination, failure, reply_address, obstacles },
        pushes: { devices: pushes, obstacles: push_obstacles },
      },
      text: renderDetails([
        ...detailsOf(email, tried),
        ...(failure === null ? [repliesOf(reply_address)] : []),
        ...pushes.map(({ service, device, result, reason }): [string, string] => [
          'Device',
          `${service} ${device}: ${result}${reason === null ? '' : ` (${reason})`}`,
        ]),
        ...push_obstacles.map((obstacle): [string, string] => ['In the way', obstacle]),
      ]),
      ...failureOf([failure, ...pushes.map(({ reason }) => reason)]),
    }
  })
}

const repliesOf = (address: string | null): [string, string] => [
  'Replies',
  address === null
    ? 'off: MAIL_REPLY_ADDRESS is not set'
    : 'answer the mail: if replies arrive, another mail says so',
]

/** So that scripts learn that something was not sent. */
const failureOf = (reasons: readonly (string | null)[]): { failure?: Error } =>
  reasons.every((reason) => reason === null) ? {} : { failure: new Error('not everything could be sent') }

function detailsOf(
  email: string,
  tried: { destination: string | null; failure: string | null; obstacles: readonly string[] },
): [string, string][] {
  return [
    ['E-mail', email],
    tried.failure === null ? ['Sent', tried.destination ?? ''] : ['Failed', tried.failure],
    ...tried.obstacles.map((obstacle): [string, string] => ['In the way', obstacle]),
  ]
}
