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

export async function deleteRemoval(db: Queryable, id: string): Promise<void> {
  await db.query('delete from push_relay_removals where id = $1', [id])
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

/** The device of an account with this token that the service is to know; null if there is none. */
export async function findRegisteredAgain(
  db: Queryable,
  { accountId, service, token }: Pick<RelayRemoval, 'accountId' | 'service' | 'token'>,
): Promise<{ readonly realmId: number; readonly appId: string | null } | null> {
  const { rows } = await db.query<{ realmId: number; appId: string | null }>(
    `select a.realm_id as "realmId", d.app_id as "appId"
       from push_devices d
       join accounts a on a.id = d.account_id
      where d.account_id = $1 and d.service = $2 and d.token = $3 and d.is_relayed`,
    [accountId, service, token],
  )
  return rows[0] ?? null
}
