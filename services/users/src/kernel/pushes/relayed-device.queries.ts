import type { Queryable } from '@tms/service-kit'
import type { RelayedDevice, RelayedService } from './push-relay.ts'

/** Stands for the token of the row that stands for all relayed devices of an account. */
export const RELAY_TOKEN = 'relay'

/** The tokens of an account's devices that the push relay service knows, and when these were all. */
export async function listRelayedTokens(
  db: Queryable,
  accountId: number,
): Promise<{ readonly tokens: Record<RelayedService, string[]>; readonly readAt: string }> {
  const { rows } = await db.query<RelayedDevice & { readonly readAt: string }>(
    `select service, token, now()::text as "readAt"
       from push_devices
      where account_id = $1 and is_relayed
      order by id`,
    [accountId],
  )
  const of = (wanted: RelayedService) =>
    rows.filter(({ service }) => service === wanted).map(({ token }) => token)
  return { tokens: { apns: of('apns'), fcm: of('fcm') }, readAt: rows[0]?.readAt ?? '-infinity' }
}

/** The newest relayed devices of an account, `limit` at most; only that with the token, if there is one. */
export async function listRelayedDevices(
  db: Queryable,
  accountId: number,
  { token, limit }: { readonly token: string | null; readonly limit: number },
): Promise<RelayedDevice[]> {
  const { rows } = await db.query<RelayedDevice>(
    `select service, token
       from push_devices
      where account_id = $1 and is_relayed and ($2::text is null or token = $2)
      order by registered_at desc, id desc
      limit $3`,
    [accountId, token, limit],
  )
  return rows
}

/** Has the service remove a device after `afterMs`, unless it is registered here then. Returns the removal's ID. */
export async function addRelayRemoval(
  db: Queryable,
  accountId: number,
  { service, token }: RelayedDevice,
  afterMs: number,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into push_relay_removals (account_id, service, token, attempt_at)
     values ($1, $2, $3, now() + $4 * interval '1 millisecond')
     returning id::text`,
    [accountId, service, token, afterMs],
  )
  return (rows[0] as { id: string }).id
}

/** Has a removal begin at once. */
export async function hastenRelayRemoval(db: Queryable, id: string): Promise<void> {
  await db.query('update push_relay_removals set attempt_at = now() where id = $1', [id])
}

export async function deleteRelayRemoval(db: Queryable, id: string): Promise<void> {
  await db.query('delete from push_relay_removals where id = $1', [id])
}

/**
 * Cancels a removal, and those of the same device before it, since it is registered again. Returns whether one of those
 * may have been made, or may just be.
 */
export async function cancelRelayRemovals(
  tx: Queryable,
  accountId: number,
  { service, token }: RelayedDevice,
  removalId: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ hasBegun: boolean }>(
    `delete from push_relay_removals
      where account_id = $1 and service = $2 and token = $3 and id <= $4::bigint
     returning id <> $4::bigint and (failures > 0 or attempt_at > now()) as "hasBegun"`,
    [accountId, service, token, removalId],
  )
  return rows.some(({ hasBegun }) => hasBegun)
}

/** Deletes the row that stands for relayed devices of an account, if it has none any more. */
export async function deleteEmptyRelayDevice(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(
    `delete from push_devices
      where account_id = $1
        and service = 'relay'
        and not exists (select from push_devices other where other.account_id = $1 and other.is_relayed)`,
    [accountId],
  )
}

/**
 * Deletes devices that the push relay service doesn't know any more, so that nothing is to be removed there; not those
 * that were registered again after `readAt`, when it was asked.
 */
export async function deleteGoneRelayed(
  tx: Queryable,
  accountId: number,
  gone: Readonly<Record<RelayedService, readonly string[]>>,
  readAt: string,
): Promise<void> {
  await tx.query(
    `update push_devices
        set is_relayed = false
      where account_id = $1
        and is_relayed
        and registered_at <= $4::timestamptz
        and (service = 'apns' and token = any ($2::text[]) or service = 'fcm' and token = any ($3::text[]))`,
    [accountId, gone.apns, gone.fcm, readAt],
  )
  await tx.query(
    `delete from push_devices
      where account_id = $1
        and not is_relayed
        and (service = 'apns' and token = any ($2::text[]) or service = 'fcm' and token = any ($3::text[]))`,
    [accountId, gone.apns, gone.fcm],
  )
}
