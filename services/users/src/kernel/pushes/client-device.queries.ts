import type { ClientDevice, PushRegistrationError } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { SealedService } from './push.ts'
import { tokenIdsOf } from './token-id.rules.ts'

interface ClientDeviceRow extends ClientDevice {
  readonly id: number
}

/** What a client registers. */
export interface SealedToken {
  readonly service: SealedService
  /** Its ID, if the push relay service alone can open it. */
  readonly token: string
  readonly tokenId: string
  /** The app on an Apple device. */
  readonly appId: string | null
}

export interface PushKey {
  readonly id: number
  /** 32 bytes in base64. */
  readonly key: string
}

const SELECT = `
  select c.id::float8 as id, d.push_key_id::float8 as push_key_id, d.push_token_id, r.token_id as pending_push_token_id,
         floor(extract(epoch from d.registered_at))::int as push_token_last_updated_timestamp,
         c.error_code as push_registration_error_code
    from client_devices c
    left join push_devices d on d.client_device_id = c.id
    left join sealed_registrations r on r.client_device_id = c.id`

/** The clients of an account, by ID. */
export async function listClientDevices(
  db: Queryable,
  accountId: number,
): Promise<Record<string, ClientDevice>> {
  const { rows } = await db.query<ClientDeviceRow>(`${SELECT} where c.account_id = $1 order by c.id`, [
    accountId,
  ])
  return Object.fromEntries(rows.map(({ id, ...device }) => [String(id), device]))
}

/** A client of an account; null if it has none with this ID. */
export async function findClientDevice(
  db: Queryable,
  accountId: number,
  id: number,
): Promise<ClientDevice | null> {
  const { rows } = await db.query<ClientDeviceRow>(
    `${SELECT} where c.account_id = $1 and c.id = $2::bigint`,
    [accountId, id],
  )
  const [{ id: _, ...device } = { id: null }] = rows
  return rows.length > 0 ? (device as ClientDevice) : null
}

/** Adds a client to a locked account. */
export async function insertClientDevice(tx: Queryable, accountId: number): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    'insert into client_devices (account_id) values ($1) returning id::float8 as id',
    [accountId],
  )
  return rows[0]?.id ?? 0
}

/** Deletes the clients of a locked account but for the newest `kept`, with where they are reached. Returns their IDs. */
export async function deleteClientDevices(tx: Queryable, accountId: number, kept: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `delete from client_devices
      where id in (select id from client_devices where account_id = $1 order by id desc offset $2)
     returning id::float8 as id`,
    [accountId, kept],
  )
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Deletes a client of a locked account. Returns whether it existed. */
export async function deleteClientDevice(tx: Queryable, accountId: number, id: number): Promise<boolean> {
  const { rows } = await tx.query(
    'delete from client_devices where account_id = $1 and id = $2::bigint returning true',
    [accountId, id],
  )
  return rows.length > 0
}

/** Records why the latest registration of a client failed; null if it didn't. */
export async function saveRegistrationError(
  tx: Queryable,
  id: number,
  code: PushRegistrationError | null,
): Promise<void> {
  await tx.query('update client_devices set error_code = $2 where id = $1', [id, code])
}

/**
 * Stores where a client of a locked account is reached, with this key or the one that it has. The same token gets
 * nothing else from then on. Returns the other clients that had it: the app was installed before.
 */
export async function saveSealedToken(
  tx: Queryable,
  accountId: number,
  clientId: number,
  { service, token, tokenId, appId }: SealedToken,
  key: PushKey | null,
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number | null }>(
    `delete from push_devices
      where account_id = $1
        and token = $3
        and service in ($2, replace($2, 'sealed_', ''))
        and client_device_id is distinct from $4::bigint
     returning client_device_id::float8 as id`,
    [accountId, service, token, clientId],
  )
  if (service.startsWith('sealed_relay_')) await deletePlainDevice(tx, accountId, service, tokenId)
  // Without a push relay service, which the installation had before, nobody else decides about it.
  await tx.query('delete from sealed_registrations where client_device_id = $1', [clientId])
  const values = [accountId, clientId, service, token, appId, tokenId]
  if (key === null)
    await tx.query(
      `update push_devices
          set service = $3, token = $4, app_id = $5, push_token_id = $6, registered_at = clock_timestamp(),
              failing_since = null
        where account_id = $1 and client_device_id = $2`,
      values,
    )
  else
    await tx.query(
      `insert into push_devices (account_id, client_device_id, service, token, app_id, push_token_id, push_key_id, push_key)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (client_device_id) do update
              set service = excluded.service, token = excluded.token, app_id = excluded.app_id,
                  push_token_id = excluded.push_token_id, push_key_id = excluded.push_key_id,
                  push_key = excluded.push_key, registered_at = clock_timestamp(), failing_since = null`,
      [...values, key.id, key.key],
    )
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** Deletes a device whose notifications aren't encrypted, by the ID of its token. */
async function deletePlainDevice(
  tx: Queryable,
  accountId: number,
  sealed: SealedService,
  tokenId: string,
): Promise<void> {
  const service = sealed === 'sealed_relay_apns' ? 'apns' : 'fcm'
  const { rows } = await tx.query<{ id: string; token: string }>(
    'select id::text, token from push_devices where account_id = $1 and service = $2',
    [accountId, service],
  )
  const ids = rows.filter(({ token }) => tokenIdsOf(token, service).includes(tokenId)).map(({ id }) => id)
  await tx.query('delete from push_devices where id = any ($1::bigint[])', [ids])
}

/** Replaces the key of a client that has a token, also for a token that is being registered. */
export async function savePushKey(tx: Queryable, clientId: number, { id, key }: PushKey): Promise<void> {
  await tx.query(
    'update sealed_registrations set push_key_id = $2, push_key = $3 where client_device_id = $1',
    [clientId, id, key],
  )
  await tx.query('update push_devices set push_key_id = $2, push_key = $3 where client_device_id = $1', [
    clientId,
    id,
    key,
  ])
}
