import type { Pool } from '../postgres/pool.ts'
import type { BatchLimits } from './relay.queries.ts'

/** Entries of one event, ready to be published. */
interface WaitingAudit {
  readonly id: number
  readonly body: string
}

/** The first that the broker hasn't confirmed, in the order of their events. */
export async function listWaitingAudits(db: Pool, { limit, bytes }: BatchLimits): Promise<WaitingAudit[]> {
  const { rows } = await db.query<WaitingAudit>({
    name: 'audit-outbox-list',
    text: `
      select id, body
        from (
          select id, body, row_number() over up_to as nth, sum(octet_length(body)) over up_to as bytes
            from (select id, body from audit_outbox order by id limit $1) nearest
          window up_to as (order by id rows unbounded preceding)
        ) weighed
       where nth = 1 or bytes <= $2
       order by id`,
    values: [limit, bytes],
  })
  return rows
}

/** Deletes those that the broker confirmed. */
export async function deleteAudits(db: Pool, ids: readonly number[]): Promise<void> {
  await db.query('delete from audit_outbox where id = any($1::bigint[])', [ids])
}

/** How long the oldest has waited for the broker's confirm, in seconds; 0 if none waits. */
export async function findOldestAuditAge(db: Pool): Promise<number> {
  const { rows } = await db.query<{ age: number }>(
    'select extract(epoch from clock_timestamp() - created_at)::float8 as age from audit_outbox order by id limit 1',
  )
  return rows[0]?.age ?? 0
}
