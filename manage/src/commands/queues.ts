import { internal, type QueueStatus } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import type { Command } from 'commander'
import { UsageError } from '../kernel/errors.ts'
import { getOrganization, ORGANIZATION_HELP } from '../services/organizations.ts'
import { createServiceCaller } from '../services/service-clients.ts'
import { registerAction, type Terminal } from '../terminal/command-action.ts'
import { renderTable } from '../terminal/table.ts'

interface Options {
  readonly organization?: string
  readonly user?: string
}

export function addQueues(program: Command, terminal: Terminal): void {
  const command = program
    .command('queues')
    .description('list live event queues and the number of events pending in each')
    .option('--organization <subdomain>', `only queues of an organization: ${ORGANIZATION_HELP}`)
    .option('--user <ID>', 'only queues of a user')
  registerAction<Options>(command, terminal, async (_, { organization, user }) => {
    const user_id = user === undefined ? undefined : parseUserId(user)
    const services = organization === undefined ? (['events'] as const) : (['events', 'realm'] as const)
    const call = createServiceCaller(terminal.env, services)
    const realm_id = await findRealmId(call, organization)
    const { queues } = await call(internal.events.listQueues, {
      ...(realm_id !== undefined && { realm_id }),
      ...(user_id !== undefined && { user_id }),
    })
    return { json: { queues }, text: render(queues) }
  })
}

async function findRealmId(
  call: InternalClient,
  organizationName: string | undefined,
): Promise<number | undefined> {
  return organizationName === undefined ? undefined : (await getOrganization(call, organizationName)).realm_id
}

function parseUserId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`'${text}' is not the ID of a user`)
  return Number(text)
}

function describeTypes(types: readonly string[] | null): string {
  if (types === null) return 'all'
  return types.length === 0 ? 'none' : types.join(',')
}

function render(queues: readonly QueueStatus[]): string {
  const rows = queues.map((queue) => [
    queue.realm_id,
    queue.user_id,
    queue.queue_id,
    queue.waiting,
    Math.max(0, queue.ends_at - Math.floor(Date.now() / 1000)),
    queue.partition,
    describeTypes(queue.event_types),
  ])
  const headings = ['ORGANIZATION', 'USER', 'QUEUE', 'WAITING', 'ENDS IN (S)', 'PARTITION', 'EVENT TYPES']
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  return `${renderTable(headings, rows)}\n\n${queues.length} queues, ${waiting} events waiting`
}
