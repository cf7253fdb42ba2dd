import type { Caller } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { recordDevices } from '../kernel/pushes/record-devices.ts'
import { deleteEmptyRelayDevice } from '../kernel/pushes/relayed-device.queries.ts'

/** Removes a device of the caller by `remove`, which says whether it was there; resolves with that. */
export async function removeDevice(
  context: Context,
  caller: Caller,
  requestId: string,
  remove: (tx: PrismaTx, account: Account) => Promise<boolean>,
): Promise<boolean> {
  const wasThere = await context.transact(async (tx) => {
    // The lock hides the moment in which a repeated registration replaces the row.
    const account = await lockOwnAccount(tx, caller)
    const existed = await remove(tx, account)
    if (existed) {
      await deleteEmptyRelayDevice(tx, account.id)
      await recordDevices(tx, context, account, requestId)
    }
    return existed
  })
  context.pushes.relayed.wake()
  return wasThere
}
