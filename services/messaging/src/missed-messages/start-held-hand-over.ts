import { internal, type PushOutcome } from '@tms/contracts'
import { type InternalClient, type Logger, type Loop, startLoop, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { describeHeld } from './describe-held.ts'
import { findQuietEnd } from './find-quiet-end.ts'
import { holdNotices, leaseHeld, listUsersWithDueHeld } from './held-notice.queries.ts'
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
/** Users of a round. */
const MAX_USERS = 10
/** Longer than handing over takes. A replica that dies is replaced after this time. */
const LEASE_MS = 15_000
const CALL_TIMEOUT_MS = 10_000
/** A summary that comes later is no news. */
const MAX_AGE_SECONDS = 86_400

/**
 * Hands over to users what waited while a user wanted quiet, as one notice. Replicas lease all that waits for a user
 * together, and users recognizes a notice that is handed over again.
 */
export function startHeldHandOver(
  context: Context,
  call: InternalClient,
  count: (outcome: PushOutcome | 'empty' | 'retried' | 'given_up') => void,
  log: Logger,
): Loop {
  const { db } = context

  const handOver = async (userId: number, held: readonly WaitingNotice[]): Promise<void> => {
    const ids = held.map(({ id }) => id)
    const end = await findQuietEnd(context, userId)
    if (end !== null)
      // Nothing may join those that failed before, which may be on devices already.
      return held.some(({ attempts }) => attempts > 1)
        ? postponeNoticesUntil(db, ids, end)
        : holdNotices(db, userId, ids, end)
    const onDevices = (await listPushedMessages(db, [userId])).get(userId) ?? new Set()
    const described = await describeHeld(context, held, onDevices, writeForPush)
    if (described === null) {
      await deleteNotices(db, ids)
      return count('empty')
    }
    const { notice, messageIds } = described
    const { outcomes } = await call(
      internal.users.pushNotices,
      { notices: [notice] },
      { timeoutMs: CALL_TIMEOUT_MS },
    )
    const [outcome = 'unwanted'] = outcomes
    const { realm_id: realmId } = notice
    await transact(db, async (tx) => {
      const deleted = await deleteNotices(tx, ids)
      if ((outcome === 'queued' || outcome === 'repeated') && deleted.size > 0)
        await addPushedMessages(
          tx,
          messageIds.map((messageId) => ({ realmId, userId, messageId })),
        )
    })
    count(outcome)
  }

  const fail = async (held: readonly WaitingNotice[], err: unknown): Promise<void> => {
    const ids = held.map(({ id }) => id)
    const isOld = held.every(({ age }) => age > MAX_AGE_SECONDS)
    log.warn({ err, notices: ids.length }, 'what waited for the end of quiet hours is handed over later')
    if (isOld) await deleteNotices(db, ids)
    else await postponeNotices(db, ids, retryDelayMs(Math.max(...held.map(({ attempts }) => attempts))))
    count(isOld ? 'given_up' : 'retried')
  }

  return startLoop({
    name: 'notifications after quiet hours',
    log,
    round: async () => {
      const userIds = await listUsersWithDueHeld(db, MAX_USERS)
      let handled = 0
      for (const userId of userIds) {
        const held = await leaseHeld(db, userId, LEASE_MS)
        if (held.length === 0) continue
        handled++
        await handOver(userId, held).catch((err: unknown) => fail(held, err))
      }
      return handled > 0 ? 0 : PAUSE_MS
    },
  })
}
