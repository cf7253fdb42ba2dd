import { internal, type PushState } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { RelayState } from '../kernel/pushes/push-relay.ts'

/** Realm takes so many at once. */
const MAX_STATES = 500

/** Has realm record what the push relay service says about organizations. */
export async function recordPushStates(
  { call }: Pick<Context, 'call'>,
  states: readonly PushState[],
): Promise<void> {
  for (let start = 0; start < states.length; start += MAX_STATES)
    await call(internal.realm.recordPushStates, { states: states.slice(start, start + MAX_STATES) })
}

/** Records what the answer to a notification says, if this replica hasn't just recorded the same. */
export function createStateRecorder(
  tools: () => Pick<Context, 'call'>,
  log: Logger,
): (realmId: number, state: RelayState) => void {
  const recorded = new Map<number, string>()
  return (realmId, state) => {
    const text = JSON.stringify(state)
    if (recorded.get(realmId) === text) return
    recorded.set(realmId, text)
    recordPushStates(tools(), [{ realm_id: realmId, ...state }]).catch((err: unknown) => {
      // The next notification says it again.
      recorded.delete(realmId)
      log.warn({ err }, 'what the push relay service says is not recorded')
    })
  }
}
