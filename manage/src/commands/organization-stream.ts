import { randomBytes } from 'node:crypto'
import {
  declareOrganizationStream,
  deleteOrganizationStream,
  organizationStreamOf,
  StreamExistsError,
  splitUrls,
} from '@tms/service-kit'
import type { Command } from 'commander'
import { CommandError, UsageError } from '../kernel/errors.ts'
import { type OpenedBroker, openBroker } from '../log/open-broker.ts'
import { formatSubdomain, getChosenOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderDetails } from '../terminal/table.ts'

interface Options {
  readonly organization?: string
  readonly days: string
  readonly gib: string
}

const ORGANIZATION = [
  '--organization <organization>',
  `${ORGANIZATION_HELP}; may be left out if there is only one`,
] as const

export function addCreateOrganizationStream(program: Command, terminal: Terminal): void {
  const command = program
    .command('create-organization-stream')
    .description(
      "create a RabbitMQ stream of one organization's events from now on, direct messages included, and print the lines that give a consumer an account for it alone",
    )
    .option(...ORGANIZATION)
    .option('--days <number>', 'how long events are kept', '7')
    .option('--gib <number>', 'how many GiB of them are kept, at most', '1')
  registerAction<Options>(command, terminal, async (_, { organization, days, gib }) => {
    const retention = {
      days: parseAmount('--days', days, 3_650),
      bytes: parseAmount('--gib', gib, 10_000) * 1024 ** 3,
    }
    const { realm_id: realmId, string_id } = await getOrganization(terminal, organization)
    return withBroker(terminal, async ({ broker, url, namespace }) => {
      const stream = organizationStreamOf(namespace, realmId)
      try {
        await declareOrganizationStream(broker, namespace, realmId, retention)
      } catch (err) {
        if (!(err instanceof StreamExistsError)) throw err
        throw new CommandError(
          `The stream ${stream} exists and keeps more or less than that. delete-organization-stream deletes it with its events`,
        )
      }
      const account = { user: stream, password: randomBytes(24).toString('base64url') }
      const address = addressFor(url, account)
      const lines = linesFor(url, stream, account)
      return {
        json: { organization: formatSubdomain(string_id), stream, address, commands: lines },
        text: [
          renderDetails([
            ['Stream', stream],
            ['Address', address],
          ]),
          'The account exists when these lines were run where RabbitMQ runs; the password is shown only here:',
          lines.map((line) => `  ${line}`).join('\n'),
        ].join('\n\n'),
      }
    })
  })
}

export function addDeleteOrganizationStream(program: Command, terminal: Terminal): void {
  const command = program
    .command('delete-organization-stream')
    .description("delete the RabbitMQ stream of an organization's events, with the events")
    .option(...ORGANIZATION)
  registerAction<Pick<Options, 'organization'>>(command, terminal, async (_, { organization }) => {
    const { realm_id: realmId } = await getOrganization(terminal, organization)
    return withBroker(terminal, async ({ broker, namespace }) => {
      const stream = organizationStreamOf(namespace, realmId)
      await deleteOrganizationStream(broker, namespace, realmId)
      const line = `rabbitmqctl delete_user '${stream}'`
      return {
        json: { stream, commands: [line] },
        text: `${stream} is deleted. Where RabbitMQ runs, this deletes the account of its consumer:\n\n  ${line}`,
      }
    })
  })
}

const getOrganization = ({ env }: Terminal, organization: string | undefined) =>
  getChosenOrganization(createServiceCaller(env, ['realm']), organization)

async function withBroker<T>({ env }: Terminal, work: (opened: OpenedBroker) => Promise<T>): Promise<T> {
  const opened = openBroker(env)
  try {
    await opened.connected()
    return await work(opened)
  } finally {
    void opened.broker.close()
  }
}

interface Account {
  readonly user: string
  readonly password: string
}

/** The URL of the first node, with the consumer's account. */
function addressFor(urls: string, { user, password }: Account): string {
  const url = new URL(splitUrls(urls)[0] ?? '')
  url.username = user
  url.password = password
  return url.href
}

/** Makes an account that may read this stream and nothing else. */
function linesFor(urls: string, stream: string, { user, password }: Account): string[] {
  const path = decodeURIComponent(new URL(splitUrls(urls)[0] ?? '').pathname.slice(1))
  const vhost = path === '' ? '/' : path
  const pattern = `^${stream.replaceAll('.', '\\.')}$`
  return [
    `rabbitmqctl add_user '${user}' '${password}'`,
    `rabbitmqctl set_permissions --vhost '${vhost}' '${user}' '^$' '^$' '${pattern}'`,
  ]
}

function parseAmount(option: string, text: string, max: number): number {
  const amount = Number(text)
  if (!/^\d+$/.test(text) || amount < 1 || amount > max)
    throw new UsageError(`${option} must be a whole number between 1 and ${max}`)
  return amount
}
