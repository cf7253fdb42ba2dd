import type { Logger } from '@tms/service-kit'
import { lockAccount } from '../../kernel/accounts/account.queries.ts'
import type { Context } from '../../kernel/context.ts'
import type { PushRelay } from '../../kernel/pushes/push-relay.ts'
import { recordDevices } from '../../kernel/pushes/record-devices.ts'
import {
  deleteEmptyRelayDevice,
  deleteGoneRelayed,
  listRelayedTokens,
} from '../../kernel/pushes/relayed-device.queries.ts'
import { createStateRecorder } from '../../push-relay/push-states.ts'
import type { RelaySenderTools } from './relay-sender.ts'

/** What the sender by a push relay service does in this service. */
export function relayTools(context: () => Context, relay: PushRelay, log: Logger): RelaySenderTools {
  return {
    relay,
    listTokens: (userId) => listRelayedTokens(context().db, userId),
    forget: ({ realmId, userId }, gone, readAt) =>
      context().transact(async (tx) => {
        const account = await lockAccount(tx, realmId, userId)
        if (!account) return
        await deleteGoneRelayed(tx, userId, gone, readAt)
        await deleteEmptyRelayDevice(tx, userId)
        await recordDevices(tx, context(), account, null)
      }),
    recordState: createStateRecorder(context, log),
    hastenReport: () => context().pushes.relayed.report(),
  }
}
