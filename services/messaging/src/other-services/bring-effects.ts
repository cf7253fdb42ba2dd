import { setTimeout as sleep } from 'node:timers/promises'
import { internal } from '@tms/contracts'
import type { Cause, InternalClient, Logger } from '@tms/service-kit'
import type { GuestVisibilityPublisher } from '../guest-visibility/start-telling.ts'
import { namesToUpdate } from './effects.rules.ts'
import type { Effects } from './effects.ts'

/** Longer than users and realm take, a busy moment included; too large keeps callers waiting while one of them is down. */
const TIMEOUT_MS = 2_000

/** Has users and realm answer by what a request changed here; resolves once they do. Never rejects. */
export type BringEffects = (effects: Effects, cause: Cause) => Promise<void>

interface Tools {
  readonly call: InternalClient
  readonly telling: Pick<GuestVisibilityPublisher, 'waitUntilPublished'>
  readonly log: Logger
}

/**
 * Between the commit and the answer of a request. If users or realm doesn't answer within two seconds, the request is
 * answered all the same: both read names of channels and what is archived again from time to time, and when they start,
 * and whom guests see is told to users until it has taken it.
 */
export function createBringEffects({ call, telling, log }: Tools): BringEffects {
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
    if (number !== null) work.push(telling.waitUntilPublished({ realmId: realm_id, number }, TIMEOUT_MS))
    if (work.length === 0 || (await areDoneWithin(TIMEOUT_MS, work))) return
    log.warn({ realmId: realm_id, requestId }, 'users or realm does not know of a change yet')
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
