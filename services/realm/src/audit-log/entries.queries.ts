import { type AuditRecord, badRequest } from '@tms/contracts'
import { isCancelled, type Pool, type Queryable, readRows, type Tx, transact } from '@tms/service-kit'
import type { AuditFilter } from './audit-filter.ts'

/** Less than the gateway waits for an answer. */
const LIST_MS = 20_000
/** Entries in memory at a time, for each export. */
const PAGE = 1_000

const COLUMNS = `
  id, extract(epoch from at)::float8 as time, actor_kind, actor_id, action, target_type,
  to_json(target_ids) as target_ids, channel_id, group_id, details, address as ip_address, client, request_id`

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
  add(filter.actor_id, (id) => `actor_id = ${id}::bigint`)
  add(filter.actor_kind, (kind) => `actor_kind = ${kind}::text`)
  add(filter.target_type, (type) => `target_type = ${type}::text`)
  add(filter.target_id, (id) => `target_ids @> array[${id}::bigint]`)
  const isAbout = (column: string, type: string) => (id: string) =>
    `(${column} = ${id}::bigint or (target_type = '${type}' and target_ids @> array[${id}::bigint]))`
  add(filter.channel_id, isAbout('channel_id', 'channel'))
  add(filter.group_id, isAbout('group_id', 'user_group'))
  add(filter.actions, (actions) => `action = any(${actions}::text[])`)
  add(filter.since, (time) => `at >= to_timestamp(${time}::float8)`)
  const since = values.length
  add(filter.until, (time) => `at < to_timestamp(${time}::float8)`)
  if (filter.since !== undefined || filter.until !== undefined)
    conditions.push(
      inPartsOf({
        since: filter.since === undefined ? null : `to_timestamp($${since}::float8)`,
        until: filter.until === undefined ? null : `to_timestamp($${values.length}::float8)`,
      }),
    )
  return { condition: conditions.join(' and '), values }
}

/**
 * The IDs among which entries of a time are. No index finds them by time: the newest of a time aren't the ones that an index on it has
 * first, so PostgreSQL would read all newer entries, or sort all of the time.
 */
function inPartsOf({
  since,
  until,
}: {
  readonly since: string | null
  readonly until: string | null
}): string {
  const isInTime = [
    ...(since === null ? [] : [`last_at >= ${since}`]),
    ...(until === null ? [] : [`first_at < ${until}`]),
  ].join(' and ')
  const part = (end: 'min' | 'max') =>
    `(select ${end}(part) from audit_log_ranges where realm_id = $1 and ${isInTime})`
  return `id >= ${part('min')} * 1000 and id < (${part('max')} + 1) * 1000`
}

/**
 * The newest entries before one, or of all, the newest first. Throws BAD_REQUEST if that takes too long: a client that gave up
 * must not keep the connection.
 */
export async function listEntries(
  db: Pool,
  realmId: number,
  filter: AuditFilter,
  { beforeId, limit }: { readonly beforeId: number | undefined; readonly limit: number },
): Promise<AuditRecord[]> {
  const { condition, values } = conditionOf(realmId, filter)
  if (beforeId !== undefined) values.push(beforeId)
  const before = beforeId === undefined ? '' : `and id < $${values.length}::bigint`
  const sql = `
    select ${COLUMNS}
      from audit_log
     where ${condition} ${before}
     order by id desc
     limit ${limit}`
  try {
    return await transact(db, async (tx) => {
      await tx.query(`set local statement_timeout = ${LIST_MS}`)
      return (await tx.query<AuditRecord>(sql, values)).rows
    })
  } catch (err) {
    throw isCancelled(err)
      ? badRequest('This takes too long. Ask for less time, or for more of one kind')
      : err
  }
}

/** All of them, the oldest first. */
export function readEntries(tx: Tx, realmId: number, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  const { condition, values } = conditionOf(realmId, filter)
  return readRows(tx, `select ${COLUMNS} from audit_log where ${condition} order by id`, values)
}

/**
 * Those that there are now, the oldest first. A page is read when the one before was taken, and no connection is in use in
 * between: entries stay as they are, and new ones have higher IDs.
 */
export async function* readEntryPages(
  db: Queryable,
  realmId: number,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditRecord[]> {
  const { rows: newest } = await db.query<{ id: number | null }>(
    'select max(id) as id from audit_log where realm_id = $1',
    [realmId],
  )
  const { condition, values } = conditionOf(realmId, filter)
  const [after, upTo] = [`$${values.length + 1}::bigint`, `$${values.length + 2}::bigint`]
  let last = 0
  while (true) {
    const { rows } = await db.query<AuditRecord>(
      `select ${COLUMNS} from audit_log
        where ${condition} and id > ${after} and id <= ${upTo}
        order by id
        limit ${PAGE}`,
      [...values, last, newest[0]?.id ?? 0],
    )
    yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? last
  }
}
