import type { Queryable } from '@tms/service-kit'
import type { PushKey } from '../kernel/pushes/client-device.queries.ts'
import type { RelayedService, SealedRegistration } from '../kernel/pushes/push-relay.ts'

/** What a client registers, until the push relay service has accepted it or not. */
export interface NewRegistration extends SealedRegistration {
  readonly tokenKind: RelayedService
  readonly key: PushKey
}

export interface WaitingRegistration extends NewRegistration {
  readonly clientId: number
  /** Another registration of the client has another one. */
  readonly number: string
  readonly accountId: number
  readonly realmId: number
  readonly failures: number
  /** Hours since the client sent it. */
  readonly hours: number
}

/** Stores the registration of a client of a locked account, in place of the one before. */
export async function saveRegistration(
  tx: Queryable,
  accountId: number,
  clientId: number,
  { tokenKind, tokenId, publicKey, sealed, key }: NewRegistration,
): Promise<void> {
  await tx.query('delete from sealed_registrations where client_device_id = $1', [clientId])
  await tx.query(
    `insert into sealed_registrations
       (client_device_id, account_id, token_kind, token_id, public_key, sealed, push_key_id, push_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [clientId, accountId, tokenKind, tokenId, publicKey, sealed, key.id, key.key],
  )
}

/** The key that a client has registered last, also with a token that is being registered; null if it has none. */
export async function findPushKey(tx: Queryable, clientId: number): Promise<PushKey | null> {
  const { rows } = await tx.query<PushKey & { readonly isPending: boolean }>(
    `select push_key_id::float8 as id, push_key as key, true as "isPending"
       from sealed_registrations where client_device_id = $1
      union all
     select push_key_id::float8, push_key, false from push_devices where client_device_id = $1
      order by "isPending" desc
      limit 1`,
    [clientId],
  )
  const [found] = rows
  return found ? { id: found.id, key: found.key } : null
}

/** Leases the registration that is due first, for `leaseMs`; afterwards another replica may take it. Null if none is. */
export async function leaseRegistration(db: Queryable, leaseMs: number): Promise<WaitingRegistration | null> {
  const { rows } = await db.query<
    Omit<WaitingRegistration, 'key'> & { readonly keyId: number; readonly pushKey: string }
  >(
    `with leased as (
       update sealed_registrations
          set attempt_at = now() + $1 * interval '1 millisecond'
        where client_device_id = (select client_device_id
                                    from sealed_registrations
                                   where attempt_at <= now()
                                   order by attempt_at
                                   limit 1
                                     for update skip locked)
       returning *
     )
     select l.client_device_id::float8 as "clientId", l.number::text, l.token_kind as "tokenKind",
            l.token_id as "tokenId", l.public_key as "publicKey", l.sealed, l.failures,
            l.push_key_id::float8 as "keyId", l.push_key as "pushKey",
            extract(epoch from now() - l.registered_at)::float8 / 3600 as hours,
            a.id as "accountId", a.realm_id as "realmId"
       from leased l
       join accounts a on a.id = l.account_id`,
    [leaseMs],
  )
  const [found] = rows
  if (!found) return null
  const { keyId, pushKey, ...registration } = found
  return { ...registration, key: { id: keyId, key: pushKey } }
}

/** Has another attempt made after `delayMs`. */
export async function postponeRegistration(
  db: Queryable,
  { clientId, number }: Pick<WaitingRegistration, 'clientId' | 'number'>,
  delayMs: number,
): Promise<void> {
  await db.query(
    `update sealed_registrations
        set failures = failures + 1, attempt_at = now() + $3 * interval '1 millisecond'
      where client_device_id = $1 and number = $2::bigint`,
    [clientId, number, delayMs],
  )
}

/** Deletes a registration of a locked account; returns its key as it is now. Null if the client has sent another one since. */
export async function takeRegistration(
  tx: Queryable,
  { clientId, number }: Pick<WaitingRegistration, 'clientId' | 'number'>,
): Promise<PushKey | null> {
  const { rows } = await tx.query<PushKey>(
    `delete from sealed_registrations
      where client_device_id = $1 and number = $2::bigint
     returning push_key_id::float8 as id, push_key as key`,
    [clientId, number],
  )
  return rows[0] ?? null
}
