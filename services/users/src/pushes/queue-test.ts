import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { addDeliveries, listDevices } from './delivery.queries.ts'
import { targetOf } from './target.rules.ts'

/** A test that arrives later confuses. */
const SECONDS = 600

/** Queues a test for the devices of a user that can be reached, or for one of them, unless one waits there already. */
export async function queueTest(
  { db, pushes, now }: Context,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  token: string | null,
): Promise<void> {
  const devices = await listDevices(db, userId, Object.keys(pushes.senders), token)
  const notice = { kind: 'test', time: Math.floor(now().getTime() / 1_000) } as const
  await addDeliveries(
    db,
    devices.map((device) => ({
      ...{ realmId, accountId: userId, deviceId: device.id, target: targetOf(device) },
      ...{ notice, seconds: SECONDS },
    })),
  )
  pushes.deliveries.wake()
}
