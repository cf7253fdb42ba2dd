import type { AuditRecord } from '@tms/contracts'
import { type Queryable, readRows, type Tx } from '@tms/service-kit'
import type { AuditFilter } from './audit-filter.ts'

const COLUMNS = `
  id, extract(epoch from at)::float8 as time, actor_kind, actor_id, action, target_type, target_id, channel_id, group_id,
  details, address as ip_address, client, request_id`

/**
 * The condition of a filter and its values, the organization first. Made for each call, so that the indexes are used of
 * what is asked for.
 */
function conditionOf(realmId: number, filter: AuditFilter): { condition: string; values: unknown[] } {
  const values: unknown[] = [realmId]
  const conditions = ['realm_id = $1']
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  add(filter.actor_id, (id) => `actor_id = ${id}::int`)
  add(filter.actor_kind, (kind) => `actor_kind = ${kind}::text`)
  add(filter.target_type, (type) => `target_type = ${type}::text`)
  add(filter.target_id, (id) => `target_id = ${id}::int`)
  const isAbout = (column: string, type: string) => (id: string) =>
    `(${column} = ${id}::int or (target_type = '${type}' and target_id = ${id}::int))`
  add(filter.channel_id, isAbout('channel_id', 'channel'))
  add(filter.group_id, isAbout('group_id', 'user_group'))
  add(filter.actions, (actions) => `action = any(${actions}::text[])`)
  add(filter.since, (time) => `at >= to_timestamp(${time}::float8)`)
  add(filter.until, (time) => `at < to_timestamp(${time}::float8)`)
  return { condition: conditions.join(' and '), values }
}

/** The newest entries before one, or of all, the newest first. */
export async function listEntries(
  db: Queryable,
  realmId: number,
  filter: AuditFilter,
  { beforeId, limit }: { readonly beforeId: number | undefined; readonly limit: number },
): Promise<AuditRecord[]> {
  const { condition, values } = conditionOf(realmId, filter)
  if (beforeId !== undefined) values.push(beforeId)
  const before = beforeId === undefined ? '' : `and id < $${values.length}::bigint`
  const { rows } = await db.query<AuditRecord>(
    `select ${COLUMNS}
       from audit_log
      where ${condition} ${before}
      order by id desc
      limit ${limit}`,
    values,
  )
  return rows
}

/** All of them, the oldest first. */
export function readEntries(tx: Tx, realmId: number, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  const { condition, values } = conditionOf(realmId, filter)
  return readRows(tx, `select ${COLUMNS} from audit_log where ${condition} order by id`, values)
}
