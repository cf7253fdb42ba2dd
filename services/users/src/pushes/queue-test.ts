import { type Caller, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listRelayedDevices } from '../kernel/pushes/relayed-device.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { toAppError } from '../push-relay/relay-errors.ts'
import { writeTestFields } from './apps/app-payload.rules.ts'
import { addDeliveries, keepDevices } from './delivery.queries.ts'
import { listDevices, listSealedDevices, type ReachableDevice } from './reachable-device.queries.ts'
import { targetOf } from './target.rules.ts'

/** Of relayed devices, the newest ones: the service bounds the calls of the whole installation. */
const MAX_RELAYED = 5
/** A test that arrives later confuses. */
const SECONDS = 600

/** Queues a test for the devices of a user that can be reached, or for one of them, unless one waits there already. */
export async function queueTest(
  context: Context,
  caller: Pick<Caller, 'realmId' | 'userId'>,
  token: string | null,
): Promise<void> {
  // The push relay service tests each device of its own.
  const services = Object.keys(context.pushes.senders).filter((service) => service !== 'relay')
  await queue(context, caller, await listDevices(context.db, caller.userId, services, token))
}

/** The same for clients that get encrypted notifications. Returns whether there are any that can be reached. */
export async function queueSealedTest(
  context: Context,
  caller: Pick<Caller, 'realmId' | 'userId'>,
  clientId: number | null,
): Promise<boolean> {
  const { db, pushes } = context
  const devices = await listSealedDevices(db, caller.userId, Object.keys(pushes.senders), clientId)
  await queue(context, caller, devices)
  return devices.length > 0
}

async function queue(
  { db, pushes, now }: Context,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  devices: readonly ReachableDevice[],
): Promise<void> {
  const notice = { kind: 'test', time: Math.floor(now().getTime() / 1_000) } as const
  const deliveries = devices.map((device) => ({
    ...{ realmId, accountId: userId, deviceId: device.id, target: targetOf(device) },
    ...{ notice, seconds: SECONDS, isBulk: false },
  }))
  await transact(db, async (tx) => {
    const kept = await keepDevices(
      tx,
      devices.map(({ id }) => id),
    )
    await addDeliveries(
      tx,
      deliveries.filter(({ deviceId }) => kept.has(deviceId)),
    )
  })
  pushes.deliveries.wake()
}

/**
 * Has the push relay service test the newest devices of a user that it knows, or one of them. Throws
 * INVALID_REMOTE_PUSH_DEVICE_TOKEN if it doesn't know one, and what else it answers, after all were tested.
 */
export async function testRelayed(
  context: Context,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  token: string | null,
): Promise<void> {
  const { relay } = context.pushes
  if (relay === null) return
  const devices = await listRelayedDevices(context.db, userId, { token, limit: MAX_RELAYED })
  if (devices.length === 0) return
  const { url, name } = await getRealm(context, realmId)
  const fields = writeTestFields({ realm: { url, name }, userId })
  const tests = await Promise.allSettled(
    devices.map((device) => relay.test({ realmId, userId }, device, fields)),
  )
  const failure = tests.find((test) => test.status === 'rejected')
  if (failure) throw toAppError(failure.reason)
}
