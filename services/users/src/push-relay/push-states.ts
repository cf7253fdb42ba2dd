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
  const failures: unknown[] = []
  for (let start = 0; start < states.length; start += MAX_STATES)
    await call(internal.realm.recordPushStates, { states: states.slice(start, start + MAX_STATES) }).catch(
      (err: unknown) => failures.push(err),
    )
  if (failures.length > 0) throw failures[0]
}

/** Then it is recorded again: another replica, or a report, may have recorded something else meanwhile. */
const MAX_AGE_MS = 60_000

/**
 * Records what the answer to a notification says, if this replica hasn't recorded the same within the last minute; one
 * after the other, so that the last holds.
 */
export function createStateRecorder(
  tools: () => Pick<Context, 'call' | 'now'>,
  log: Logger,
): (realmId: number, state: RelayState) => void {
  const recorded = new Map<number, { readonly text: string; readonly until: number }>()
  let last = Promise.resolve()
  return (realmId, state) => {
    const { now } = tools()
    const text = JSON.stringify(state)
    const known = recorded.get(realmId)
    if (known?.text === text && known.until > now().getTime()) return
    recorded.set(realmId, { text, until: now().getTime() + MAX_AGE_MS })
    last = last
      .then(() => recordPushStates(tools(), [{ realm_id: realmId, ...state }]))
      .catch((err: unknown) => {
        // The next notification says it again.
        recorded.delete(realmId)
        log.warn({ err }, 'what the push relay service says is not recorded')
      })
  }
}
