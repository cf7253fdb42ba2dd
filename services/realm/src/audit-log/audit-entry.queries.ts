import { MAX_AUDIT_TARGETS } from '@tms/contracts'
import type { AuditedEvent, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'

/**
 * Stores the entries of an event, unless they are stored already or the organization is gone. Entries of one event and
 * of later ones get ascending IDs, since one transaction at a time stores any, also after the newest have expired.
 */
export async function storeEntries(tx: Tx, event: AuditedEvent): Promise<void> {
  const { realm_id: realmId, audit, at, stream, seq, request_id: requestId } = event
  // Every replica reads every entry: all but the first of them neither wait for the lock nor write.
  if (await isStored(tx, event)) return
  tx.lockRecord.add(locks.auditLog, [1])
  await tx.query('select from audit_position for update')
  tx.lockRecord.add(locks.organizations, [realmId])
  const { rows: found } = await tx.query('select from realms where id = $1 for key share', [realmId])
  if (found.length > 0) {
    tx.lockRecord.add(locks.auditLogParts, [realmId])
    await tx.query({
      name: 'audit-insert',
      text: `
        insert into audit_log (
          realm_id, id, at, actor_kind, actor_id, action, target_type, target_ids, channel_id, group_id, details,
          address, client, request_id, stream, seq, nth
        )
        select $1::int,
               coalesce(
                 (select last_id from audit_log_ranges where realm_id = $1::int order by part desc limit 1),
                 (select max(id) from audit_log where realm_id = $1::int),
                 (select max(part) * 1000 + 999 from audit_log_ranges where realm_id = $1::int),
                 0
               ) + nth,
               to_timestamp($2::float8 / 1000), actor_kind, actor_id, action, target_type, coalesce(target_ids, '{}'), channel_id,
               group_id, details, $3::text, $4::text, $5::text, $6::uuid, $7::bigint, nth
          from jsonb_to_recordset($8::jsonb)
               as entry (nth int, actor_kind text, actor_id bigint, action text, target_type text, target_ids bigint[],
                         channel_id bigint, group_id bigint, details jsonb)
            on conflict (stream, seq, nth) do nothing`,
      values: [
        ...[realmId, at, audit.origin.address, audit.origin.client, requestId, stream, seq],
        JSON.stringify(rowsOf(audit)),
      ],
    })
  }
  await advance(tx, at)
}

/** Keeps the event as it is, instead of its entries. */
export async function setAside(tx: Tx, event: AuditedEvent, body: string, reason: string): Promise<void> {
  const { realm_id: realmId, at, stream, seq } = event
  tx.lockRecord.add(locks.auditLog, [1])
  await tx.query('select from audit_position for update')
  await tx.query(
    `insert into audit_set_aside (stream, seq, realm_id, body, reason)
     values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
    [stream, seq, realmId, body, reason],
  )
  await advance(tx, at)
}

async function isStored(tx: Tx, { stream, seq }: AuditedEvent): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'audit-is-stored',
    text: 'select from audit_log where stream = $1 and seq = $2 limit 1',
    values: [stream, seq],
  })
  return rows.length > 0
}

async function advance(tx: Tx, at: number): Promise<void> {
  await tx.query(
    `update audit_position
        set read_up_to = greatest(coalesce(read_up_to, '-infinity'), to_timestamp($1::float8 / 1000))`,
    [at],
  )
}

/** A row for each entry, and for more targets than one takes as many as they need. */
function rowsOf({ origin, entries }: AuditedEvent['audit']): object[] {
  return entries
    .flatMap(({ action, target, channelId, groupId, actorId, details }) => {
      const common = {
        actor_kind: actorId === undefined ? origin.actorKind : 'user',
        actor_id: actorId ?? origin.actorId,
        ...{ action, channel_id: channelId, group_id: groupId, details },
      }
      if (!target) return [common]
      const rows = Math.ceil(target.ids.length / MAX_AUDIT_TARGETS)
      return Array.from({ length: rows }, (_, row) => ({
        ...common,
        target_type: target.type,
        target_ids: target.ids.slice(row * MAX_AUDIT_TARGETS, (row + 1) * MAX_AUDIT_TARGETS),
      }))
    })
    .map((row, index) => ({ ...row, nth: index + 1 }))
}

/** Everything that the stream received before then is stored; null before the first entry. */
export async function findPosition(db: {
  query<Row>(sql: string): Promise<{ rows: Row[] }>
}): Promise<Date | null> {
  const { rows } = await db.query<{ readUpTo: Date | null }>(
    'select read_up_to as "readUpTo" from audit_position',
  )
  return rows[0]?.readUpTo ?? null
}
