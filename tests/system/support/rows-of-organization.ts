import { createLog, createPool, type Pool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

const owners = ['realm', 'users', 'messaging'] as const
type Owner = (typeof owners)[number]

/** Tables without rows of any organization. */
const OF_THE_SERVICE = new Set([
  ...['migrations', 'shared_migrations', 'outbox_relay', 'projection_position', 'followed_sources'],
  ...['projection_replay', 'recent_changes', 'recent_changes_horizon', 'search_progress'],
  'audit_position',
  'digest_progress',
  'job_workers',
  'missed_message_progress',
  'push_relay_reports',
])

/** IDs of what an organization has, each in SQL. */
const USERS = 'any ($2::bigint[])'
const IDS_BY_COLUMN: Readonly<Record<string, string>> = {
  realm_id: '$1::bigint',
  ...Object.fromEntries(
    [
      'user_id',
      'account_id',
      'owner_id',
      'sender_id',
      'creator_id',
      'guest_id',
      'visible_user_id',
      'bot_id',
    ].map((column) => [column, USERS]),
  ),
  message_id: 'any ($3::bigint[])',
  channel_id: 'any ($4::bigint[])',
  recipient_id: 'any ($5::bigint[])',
  attachment_id: 'any ($6::bigint[])',
  invitation_id: 'any ($7::bigint[])',
}

/** Conditions of tables in whose rows the ID is part of a text, or has another name. */
const OTHERWISE: Readonly<Record<string, string>> = {
  realms: 'id = $1::bigint',
  audit_outbox: "body like concat('%\"realm_id\" : ', $1::bigint, ',%')",
  blobs_to_delete: "split_part(name, '/', 2) = $1::bigint::text",
  invitation_counts: "counter = concat('realm ', $1::bigint)",
  mail_requests: "subject like concat('%realm ', $1::bigint, ' %')",
  'graphile_worker._private_jobs':
    "payload::text like '%' || $8::text || '%' or (payload ->> 'invitation_id')::bigint = any ($7::bigint[])",
}

/** What identifies an organization's rows. */
interface Ids {
  readonly realmId: number
  readonly users: readonly number[]
  readonly messages: readonly number[]
  readonly channels: readonly number[]
  readonly recipients: readonly number[]
  readonly attachments: readonly number[]
  readonly invitations: readonly number[]
  /** A text in its URL. */
  readonly mark: string
}

/** The databases of all services that have data of organizations. */
export interface Databases {
  readonly pools: Readonly<Record<Owner, Pool>>
  close(): Promise<void>
}

export function openDatabases({ system }: TestSystem): Databases {
  const open = (owner: Owner): Pool => createPool(system.databaseUrls[owner], 2, createLog('test', 'silent'))
  const pools = { realm: open('realm'), users: open('users'), messaging: open('messaging') }
  return { pools, close: async () => void (await Promise.all(owners.map((owner) => pools[owner].end()))) }
}

/** Reads what identifies the rows of an organization, while it has them. */
export async function readIds({ pools }: Databases, realmId: number, mark: string): Promise<Ids> {
  const list = async (owner: Owner, table: string): Promise<number[]> =>
    (
      await pools[owner].query<{ id: number }>(`select id from ${table} where realm_id = $1`, [realmId])
    ).rows.map(({ id }) => id)
  return {
    realmId,
    mark,
    users: await list('users', 'accounts'),
    messages: await list('messaging', 'messages'),
    channels: await list('messaging', 'channels'),
    recipients: await list('messaging', 'recipients'),
    attachments: await list('messaging', 'attachments'),
    invitations: await list('users', 'invitations'),
  }
}

/**
 * The number of rows that an organization has in each table of each database. Throws for a table of which it isn't known
 * whose rows it has: give it a column of `IDS_BY_COLUMN`, or a line in one of the lists above.
 */
export async function countRows({ pools }: Databases, ids: Ids): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const owner of owners) {
    for (const [table, columns] of await listTables(pools[owner])) {
      if (OF_THE_SERVICE.has(table)) continue
      const condition =
        OTHERWISE[table] ??
        columns
          .filter((column) => column in IDS_BY_COLUMN)
          .map((column) => `${column} = ${IDS_BY_COLUMN[column]}`)
          .join(' or ')
      if (condition === '')
        throw new Error(`it isn't known which rows of ${owner}.${table} an organization has`)
      counts.set(`${owner}.${table}`, await countWhere(pools[owner], table, condition, ids))
    }
  }
  return counts
}

async function countWhere(db: Pool, table: string, condition: string, ids: Ids): Promise<number> {
  const { realmId, users, messages, channels, recipients, attachments, invitations, mark } = ids
  const { rows } = await db.query<{ count: number }>(
    // All parameters have to occur.
    `select count(*) as count
       from ${table}
      where (${condition})
        and num_nonnulls($1::bigint, $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                         $8::text) = 8`,
    [realmId, users, messages, channels, recipients, attachments, invitations, mark],
  )
  return rows[0]?.count ?? 0
}

/** Tables with their columns, and that of jobs. */
async function listTables(db: Pool): Promise<[string, string[]][]> {
  const { rows } = await db.query<{ name: string; columns: string[] }>(
    `select case table_schema when 'public' then '' else table_schema || '.' end || table_name as name,
            json_agg(column_name) as columns
       from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
      where table_type = 'BASE TABLE'
        and (table_schema = 'public' or table_name = '_private_jobs')
      group by 1
      order by 1`,
  )
  return rows.map(({ name, columns }) => [name, columns])
}
