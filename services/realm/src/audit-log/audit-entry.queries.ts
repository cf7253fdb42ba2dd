import type { AuditedEvent, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'

/**
 * Stores the entries of an event, unless they are stored already or the organization is gone. Entries of one event and
 * of later ones get ascending IDs, since one transaction at a time stores any.
 */
export async function storeEntries(tx: Tx, event: AuditedEvent): Promise<void> {
  const { realm_id: realmId, audit, at, stream, seq, request_id: requestId } = event
  tx.lockRecord.add(locks.auditLog, [1])
  await tx.query('select from audit_position for update')
  tx.lockRecord.add(locks.organizations, [realmId])
  const { rows: found } = await tx.query('select from realms where id = $1 for key share', [realmId])
  if (found.length > 0)
    await tx.query({
      name: 'audit-insert',
      text: `
        insert into audit_log (
          realm_id, id, at, actor_kind, actor_id, action, target_type, target_id, channel_id, group_id, details,
          address, client, request_id, stream, seq, nth
        )
        select $1::int,
               coalesce((select max(id) from audit_log where realm_id = $1::int), 0) + nth,
               to_timestamp($2::float8 / 1000), actor_kind, actor_id, action, target_type, target_id, channel_id, group_id,
               details, $3::text, $4::text, $5::text, $6::uuid, $7::bigint, nth
          from jsonb_to_recordset($8::jsonb)
               as entry (nth int, actor_kind text, actor_id int, action text, target_type text, target_id int,
                         channel_id int, group_id int, details jsonb)
            on conflict (stream, seq, nth) do nothing`,
      values: [
        ...[realmId, at, audit.origin.address, audit.origin.client, requestId, stream, seq],
        JSON.stringify(rowsOf(audit)),
      ],
    })
  await tx.query(
    `update audit_position
        set read_up_to = greatest(coalesce(read_up_to, '-infinity'), to_timestamp($1::float8 / 1000))`,
    [at],
  )
}

/** One row for each target. */
function rowsOf({ origin, entries }: AuditedEvent['audit']): object[] {
  return entries
    .flatMap(({ action, target, channelId, groupId, actorId, details }) => {
      const common = {
        actor_kind: actorId === undefined ? origin.actorKind : 'user',
        actor_id: actorId ?? origin.actorId,
        ...{ action, channel_id: channelId, group_id: groupId, details },
      }
      if (!target) return [common]
      return target.ids.map((id) => ({ ...common, target_type: target.type, target_id: id }))
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
