import type { Queryable } from '@tms/service-kit'
import type { RelayedDevice, RelayedService } from './push-relay.ts'

/** Stands for the token of the row that stands for all relayed devices of an account. */
export const RELAY_TOKEN = 'relay'

/** The tokens of an account's devices that the push relay service knows. */
export async function listRelayedTokens(
  db: Queryable,
  accountId: number,
): Promise<Record<RelayedService, string[]>> {
  const { rows } = await db.query<RelayedDevice>(
    'select service, token from push_devices where account_id = $1 and is_relayed order by id',
    [accountId],
  )
  const of = (wanted: RelayedService) =>
    rows.filter(({ service }) => service === wanted).map(({ token }) => token)
  return { apns: of('apns'), fcm: of('fcm') }
}

/** Relayed devices of an account; only that with the token, if there is one. */
export async function listRelayedDevices(
  db: Queryable,
  accountId: number,
  token: string | null,
): Promise<RelayedDevice[]> {
  const { rows } = await db.query<RelayedDevice>(
    `select service, token
       from push_devices
      where account_id = $1 and is_relayed and ($2::text is null or token = $2)
      order by id`,
    [accountId, token],
  )
  return rows
}

/** Devices that are registered again aren't to be removed any more. */
export async function cancelRelayRemovals(
  tx: Queryable,
  accountId: number,
  { service, token }: RelayedDevice,
): Promise<void> {
  await tx.query('delete from push_relay_removals where account_id = $1 and service = $2 and token = $3', [
    accountId,
    service,
    token,
  ])
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

/** Deletes devices that the push relay service doesn't know any more, so that nothing is to be removed there. */
export async function deleteGoneRelayed(
  tx: Queryable,
  accountId: number,
  gone: Readonly<Record<RelayedService, readonly string[]>>,
): Promise<void> {
  await tx.query(
    `update push_devices
        set is_relayed = false
      where account_id = $1
        and is_relayed
        and (service = 'apns' and token = any ($2::text[]) or service = 'fcm' and token = any ($3::text[]))`,
    [accountId, gone.apns, gone.fcm],
  )
  await tx.query(
    `delete from push_devices
      where account_id = $1
        and not is_relayed
        and (service = 'apns' and token = any ($2::text[]) or service = 'fcm' and token = any ($3::text[]))`,
    [accountId, gone.apns, gone.fcm],
  )
}
