import type { Caller } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publishPushDevice } from '../kernel/pushes/publish-push-devices.ts'
import type { RegisteredDevice } from '../kernel/pushes/push.ts'
import { recordDevices } from '../kernel/pushes/record-devices.ts'
import { deleteEmptyRelayDevice } from '../kernel/pushes/relayed-device.queries.ts'

/** Removes a device of the caller by `remove`, which returns it; null if it wasn't there. Returns whether it was. */
export async function removeDevice(
  context: Context,
  caller: Caller,
  requestId: string,
  remove: (tx: PrismaTx, account: Account) => Promise<RegisteredDevice | null>,
): Promise<boolean> {
  const wasThere = await context.transact(async (tx) => {
    // The lock hides the moment in which a repeated registration replaces the row.
    const account = await lockOwnAccount(tx, caller)
    const removed = await remove(tx, account)
    if (removed) {
      await deleteEmptyRelayDevice(tx, account.id)
      await publishPushDevice(tx, 'removed', account, removed, requestId)
      await recordDevices(tx, context, account, requestId)
    }
    return removed !== null
  })
  context.pushes.relayed.wake()
  return wasThere
}
