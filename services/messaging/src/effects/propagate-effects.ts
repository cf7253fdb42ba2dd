import { setTimeout as sleep } from 'node:timers/promises'
import { internal } from '@tms/contracts'
import type { InternalClient, Logger } from '@tms/service-kit'
import type { PropagateEffects } from '../kernel/effects/effects.ts'
import type { GuestVisibilityPublisher } from '../kernel/guest-visibility/guest-visibility-publisher.ts'
import { namesToUpdate } from './channel-names.rules.ts'

/** Longer than users and realm need, even when busy. Too long keeps callers waiting while one of them is down. */
const TIMEOUT_MS = 2_000

interface Tools {
  readonly call: InternalClient
  readonly guestVisibility: Pick<GuestVisibilityPublisher, 'waitUntilPublished'>
  readonly log: Logger
}

/**
 * Runs between the commit and the answer of a request. If users or realm doesn't answer within two seconds, the
 * request is answered anyway: both reload channel names and archived channels now and then and at their start, and
 * changes of guest visibility are repeated until users has applied them.
 */
export function createPropagateEffects({ call, guestVisibility, log }: Tools): PropagateEffects {
  return async (effects, { realmId: realm_id, requestId }) => {
    const options = { timeoutMs: TIMEOUT_MS, ...(requestId === null ? {} : { requestId }) }
    const names = namesToUpdate(effects)
    const { guestVisibilityNumber: number, archivedChannelIds } = effects
    const work: Promise<unknown>[] = []
    if (names) work.push(call(internal.users.updateBotChannelNames, { realm_id, ...names }, options))
    if (archivedChannelIds.size > 0) {
      const body = { realm_id, stream_ids: [...archivedChannelIds] }
      work.push(call(internal.realm.removeArchivedChannels, body, options))
    }
    if (number !== null)
      work.push(guestVisibility.waitUntilPublished({ realmId: realm_id, number }, TIMEOUT_MS))
    if (work.length === 0 || (await areDoneWithin(TIMEOUT_MS, work))) return
    log.warn({ realmId: realm_id, requestId }, 'users or realm has not applied a change yet')
  }
}

/** Whether all of it succeeded in time. */
async function areDoneWithin(ms: number, work: readonly Promise<unknown>[]): Promise<boolean> {
  const timer = new AbortController()
  const deadline = sleep(ms, false, { signal: timer.signal }).catch(() => false)
  const done = Promise.allSettled(work).then((all) => all.every(({ status }) => status === 'fulfilled'))
  const areDone = await Promise.race([done, deadline])
  timer.abort()
  return areDone
}
