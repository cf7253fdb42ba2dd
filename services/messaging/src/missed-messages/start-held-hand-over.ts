import { internal, type PushNotice, type PushOutcome } from '@tms/contracts'
import { type InternalClient, type Logger, type Loop, startLoop, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { describeHeld } from './describe-held.ts'
import { holdNotices, leaseHeld, listUsersWithDueHeld } from './held-notice.queries.ts'
import { holdIfQuiet } from './hold-if-quiet.ts'
import {
  deleteNotices,
  postponeNotices,
  postponeNoticesUntil,
  type WaitingNotice,
} from './push-notice.queries.ts'
import { writeForPush } from './push-text.rules.ts'
import { addPushedMessages, listPushedMessages } from './pushed-message.queries.ts'
import { retryDelayMs } from './retry.rules.ts'

const PAUSE_MS = 1_000
/** Users of a round, whose notices are handed over by one call. */
const MAX_USERS = 50
/** Users whose messages are read at once: more take connections that requests need. */
const MAX_CONCURRENT = 3
/** Longer than a round takes. A replica that dies is replaced after this time. */
const LEASE_MS = 30_000
const CALL_TIMEOUT_MS = 10_000
/** A summary that comes later is no news. */
const MAX_AGE_SECONDS = 86_400

/** One notice for all that waited for a user, with the messages that it puts on devices. */
interface Ready {
  readonly held: readonly WaitingNotice[]
  readonly notice: PushNotice
  readonly messageIds: readonly number[]
}

/**
 * Hands over to users what waited while a user wanted quiet, as one notice. Replicas lease all that waits for a user
 * together, and users recognizes a notice that is handed over again. Quiet hours of many users end at once, so a round is
 * for many of them.
 */
export function startHeldHandOver(
  context: Context,
  call: InternalClient,
  count: (outcome: PushOutcome | 'empty' | 'retried' | 'given_up') => void,
  log: Logger,
): Loop {
  const { db } = context

  /** Null if it has to wait on, or nothing of it is left. */
  const describe = async (userId: number, held: readonly WaitingNotice[]): Promise<Ready | null> => {
    const ids = held.map(({ id }) => id)
    const waits = await holdIfQuiet(context, userId, async (tx, until) => {
      // Nothing may join those that failed before, which may be on devices already.
      if (held.some(({ attempts }) => attempts > 1)) await postponeNoticesUntil(tx, ids, until)
      else await holdNotices(tx, userId, ids, until)
    })
    if (waits) return null
    const onDevices = (await listPushedMessages(db, [userId])).get(userId) ?? new Set()
    const described = await describeHeld(context, held, onDevices, writeForPush)
    if (described === null) {
      await deleteNotices(db, ids)
      count('empty')
    }
    return described && { held, ...described }
  }

  const handOver = async (ready: readonly Ready[]): Promise<void> => {
    const { outcomes } = await call(
      internal.users.pushNotices,
      { notices: ready.map(({ notice }) => notice) },
      { timeoutMs: CALL_TIMEOUT_MS },
    )
    for (const [index, { held, notice, messageIds }] of ready.entries()) {
      const outcome = outcomes[index] ?? 'unwanted'
      const { realm_id: realmId, user_id: userId } = notice
      await transact(db, async (tx) => {
        const deleted = await deleteNotices(
          tx,
          held.map(({ id }) => id),
        )
        if ((outcome === 'queued' || outcome === 'repeated') && deleted.size > 0)
          await addPushedMessages(
            tx,
            messageIds.map((messageId) => ({ realmId, userId, messageId })),
          )
      })
      count(outcome)
    }
  }

  /** Tries again later, or gives up. Never rejects: if that can't be recorded, the lease expires. */
  const fail = async (held: readonly WaitingNotice[], err: unknown): Promise<void> => {
    const ids = held.map(({ id }) => id)
    const isOld = held.every(({ age }) => age > MAX_AGE_SECONDS)
    log.warn({ err, notices: ids.length }, 'what waited for the end of quiet hours is handed over later')
    try {
      if (isOld) await deleteNotices(db, ids)
      else await postponeNotices(db, ids, retryDelayMs(Math.max(...held.map(({ attempts }) => attempts))))
      count(isOld ? 'given_up' : 'retried')
    } catch (failure) {
      log.warn({ err: failure }, 'what waited for the end of quiet hours waits for the end of its lease')
    }
  }

  return startLoop({
    name: 'notifications after quiet hours',
    log,
    round: async () => {
      const userIds = await listUsersWithDueHeld(db, MAX_USERS)
      const together: Ready[] = []
      let handled = 0
      const next = userIds.values()
      const work = async () => {
        for (const userId of next) {
          const held = await leaseHeld(db, userId, LEASE_MS)
          if (held.length === 0) continue
          handled++
          try {
            const ready = await describe(userId, held)
            if (ready === null) continue
            // One that failed before goes alone: it may be what made the call fail.
            if (held.some(({ attempts }) => attempts > 1)) await handOver([ready])
            else together.push(ready)
          } catch (err) {
            await fail(held, err)
          }
        }
      }
      await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
      if (together.length > 0)
        await handOver(together).catch(async (err: unknown) => {
          for (const { held } of together) await fail(held, err)
        })
      return handled > 0 ? 0 : PAUSE_MS
    },
  })
}
