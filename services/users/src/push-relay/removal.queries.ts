import type { Queryable } from '@tms/service-kit'
import type { RelayedDevice } from '../kernel/pushes/push-relay.ts'

export interface RelayRemoval extends RelayedDevice {
  readonly id: string
  readonly accountId: number
  readonly failures: number
  readonly days: number
}

/** Leases the removals that are due, for `leaseMs`; afterwards another replica may take them. */
export async function leaseRemovals(
  db: Queryable,
  { leaseMs, limit }: { readonly leaseMs: number; readonly limit: number },
): Promise<RelayRemoval[]> {
  const { rows } = await db.query<RelayRemoval>(
    `update push_relay_removals
        set attempt_at = now() + $1 * interval '1 millisecond'
      where id in (select id
                     from push_relay_removals
                    where attempt_at <= now()
                    order by attempt_at
                    limit $2
                      for update skip locked)
     returning id::text, account_id as "accountId", service, token, failures,
               extract(epoch from now() - removed_at)::float8 / 86400 as days`,
    [leaseMs, limit],
  )
  return rows
}

/** Has another attempt made after `delayMs`. */
export async function postponeRemoval(db: Queryable, id: string, delayMs: number): Promise<void> {
  await db.query(
    `update push_relay_removals
        set failures = failures + 1, attempt_at = now() + $2 * interval '1 millisecond'
      where id = $1`,
    [id, delayMs],
  )
}

/**
 * The device of a removal that the service is to know nevertheless; null if there is none, `pending` if one may just be
 * registered, for which there is a later removal.
 */
export async function findRegisteredAgain(
  db: Queryable,
  { id, accountId, service, token }: RelayRemoval,
): Promise<{ readonly realmId: number; readonly appId: string | null } | 'pending' | null> {
  // One statement: the device is there once the later removal isn't.
  const { rows } = await db.query<{ realmId: number | null; appId: string | null; isPending: boolean }>(
    `select device.realm_id as "realmId", device.app_id as "appId",
            exists (select
                      from push_relay_removals later
                     where later.account_id = $1 and later.service = $2 and later.token = $3
                       and later.id > $4) as "isPending"
       from (select 1) removal
       left join (select a.realm_id, d.app_id
                    from push_devices d
                    join accounts a on a.id = d.account_id
                   where d.account_id = $1 and d.service = $2 and d.token = $3 and d.is_relayed) device on true`,
    [accountId, service, token, id],
  )
  const [found] = rows
  if (!found) return null
  const { realmId, appId, isPending } = found
  return realmId === null ? (isPending ? 'pending' : null) : { realmId, appId }
}
