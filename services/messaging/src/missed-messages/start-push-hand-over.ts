import { internal, type PushNotice, pushOutcome } from '@tms/contracts'
import {
  Counter,
  Gauge,
  type InternalClient,
  type Logger,
  type Loop,
  type Registry,
  startLoop,
  transact,
} from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { describePushes, readPushContents } from './describe-pushes.ts'
import { holdNotices } from './held-notice.queries.ts'
import { holdIfQuiet } from './hold-if-quiet.ts'
import {
  deleteNotices,
  hasDueNotices,
  leaseDueNotices,
  measureNoticeLag,
  postponeNotices,
  postponeNoticesUntil,
  type WaitingNotice,
} from './push-notice.queries.ts'
import { createPushWriter } from './push-text.rules.ts'
import { addPushedMessages, listPushedMessages } from './pushed-message.queries.ts'
import { retryDelayMs } from './retry.rules.ts'
import { startHeldHandOver } from './start-held-hand-over.ts'

/** For what other replicas decided; this one's own decisions wake it. */
const PAUSE_MS = 1_000
/** Notices of a round: too many take too much memory. */
const MAX_NOTICES = 100
/** Users whose messages one statement reads: more texts take too much memory. */
const USERS_READ_TOGETHER = 25
/** Of these, users who are described at once: some are requested from users, which may not answer. */
const MAX_CONCURRENT = 3
/** Longer than a round takes. A replica that dies is replaced after this time. */
const LEASE_MS = 15_000
const CALL_TIMEOUT_MS = 10_000
/** A notification that comes later is no news. */
const MAX_AGE_SECONDS = 86_400

/**
 * What became of a notice: as users answered, `empty` if nothing of it was unread and visible any more, `held` until its
 * user's quiet hours end, `retried` after a failure, or `given_up` after a day of failures.
 */
const OUTCOMES = [...pushOutcome.options, 'empty', 'held', 'retried', 'given_up'] as const
type Outcome = (typeof OUTCOMES)[number]

/**
 * Hands over to users what is to appear on devices, and what is to disappear. Replicas lease due notices, and users
 * recognizes one that is handed over again, so each is handed over once although replicas die.
 */
export function startPushHandOver(
  context: Context,
  call: InternalClient,
  metrics: Registry,
  log: Logger,
): Loop {
  const { db } = context
  const count = registerMetrics(context, metrics)

  /** Tries again later, or gives up. Never rejects: if that can't be recorded, the lease expires. */
  const fail = async (notices: readonly WaitingNotice[], err: unknown): Promise<void> => {
    const isOld = ({ age }: WaitingNotice) => age > MAX_AGE_SECONDS
    log.warn({ err, notices: notices.length }, 'notifications of devices are handed over later')
    try {
      await deleteNotices(
        db,
        notices.filter(isOld).map(({ id }) => id),
      )
      for (const notice of notices) {
        count(isOld(notice) ? 'given_up' : 'retried')
        if (!isOld(notice)) await postponeNotices(db, [notice.id], retryDelayMs(notice.attempts))
      }
    } catch (failure) {
      log.warn({ err: failure }, 'notifications of devices wait for the end of their lease')
    }
  }

  /** Has what is to appear on devices of users who want quiet wait. Returns the rest. */
  const hold = async (notices: readonly WaitingNotice[]): Promise<WaitingNotice[]> => {
    const rest: WaitingNotice[] = []
    for (const [userId, ofUser] of Map.groupBy(notices, (notice) => notice.userId)) {
      const appearing = ofUser.filter(({ trigger }) => trigger !== null)
      try {
        const isHeld =
          appearing.length > 0 &&
          (await holdIfQuiet(context, userId, async (tx, until) => {
            // One that failed before may be on devices already: it keeps its ID, by which users recognizes it.
            const [again, first] = [true, false].map((isAgain) =>
              appearing.filter(({ attempts }) => attempts > 1 === isAgain).map(({ id }) => id),
            )
            await holdNotices(tx, userId, first ?? [], until)
            await postponeNoticesUntil(tx, again ?? [], until)
          }))
        rest.push(...(isHeld ? ofUser.filter(({ trigger }) => trigger === null) : ofUser))
        if (isHeld) for (const _ of appearing) count('held')
      } catch (err) {
        await fail(ofUser, err)
      }
    }
    return rest
  }

  const describe = async (notices: readonly WaitingNotice[]): Promise<PushNotice[]> => {
    const byUser = [...Map.groupBy(notices, ({ userId }) => userId)]
    const onDevices = await listPushedMessages(
      db,
      byUser.map(([userId]) => userId),
    )
    const write = createPushWriter()
    const described: PushNotice[] = []
    const missing = new Set(notices.map(({ id }) => id))
    const read = (of: readonly WaitingNotice[]) => readPushContents(db, of, onDevices)
    for (let from = 0; from < byUser.length; from += USERS_READ_TOGETHER) {
      const users = byUser.slice(from, from + USERS_READ_TOGETHER).map(([, ofUser]) => ofUser)
      // Each user's are read alone then, so that one fails no others.
      const contents = await read(users.flat()).catch((err: unknown) => {
        log.warn({ err, users: users.length }, 'messages of several users cannot be read together')
        return null
      })
      const next = users.values()
      const work = async () => {
        for (const ofUser of next) {
          try {
            const own = contents ?? (await read(ofUser))
            described.push(...(await describePushes(context, ofUser, own, write)))
          } catch (err) {
            for (const { id } of ofUser) missing.delete(id)
            await fail(ofUser, err)
          }
        }
      }
      await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
    }
    for (const { notice_id } of described) missing.delete(notice_id)
    if (missing.size > 0) for (const _ of await deleteNotices(db, [...missing])) count('empty')
    return described
  }

  const handOver = async (notices: readonly PushNotice[]): Promise<void> => {
    const { outcomes } = await call(
      internal.users.pushNotices,
      { notices: [...notices] },
      { timeoutMs: CALL_TIMEOUT_MS },
    )
    const isOnDevices = (index: number) => outcomes[index] === 'queued' || outcomes[index] === 'repeated'
    await transact(db, async (tx) => {
      const deleted = await deleteNotices(
        tx,
        notices.map(({ notice_id }) => notice_id),
      )
      await addPushedMessages(
        tx,
        notices.flatMap(({ notice_id, realm_id, user_id, message }, index) =>
          message !== null && isOnDevices(index) && deleted.has(notice_id)
            ? [{ realmId: realm_id, userId: user_id, messageId: message.message_id }]
            : [],
        ),
      )
    })
    for (const outcome of outcomes) count(outcome)
  }

  const held = startHeldHandOver(context, call, count, log)
  const loop = startLoop({
    name: 'notifications of devices',
    log,
    round: async () => {
      if (!(await hasDueNotices(db))) return PAUSE_MS
      const leased = await leaseDueNotices(db, { leaseMs: LEASE_MS, limit: MAX_NOTICES })
      if (leased.length === 0) return PAUSE_MS
      const audible = await hold(leased)
      const byId = new Map(audible.map((notice) => [notice.id, notice]))
      const described = await describe(audible)
      const waiting = (notices: readonly PushNotice[]) =>
        notices.flatMap(({ notice_id }) => byId.get(notice_id) ?? [])
      // One that failed before goes alone, so that it holds up no others.
      const [again, first] = [true, false].map((isAgain) =>
        described.filter(({ notice_id }) => (byId.get(notice_id)?.attempts ?? 0) > 1 === isAgain),
      )
      for (const notices of [first ?? [], ...(again ?? []).map((each) => [each])])
        if (notices.length > 0) await handOver(notices).catch((err: unknown) => fail(waiting(notices), err))
      return 0
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await Promise.all([loop.stop(), held.stop()])
    },
  }
}

function registerMetrics({ db }: Context, metrics: Registry): (outcome: Outcome) => void {
  const notices = new Counter({
    name: 'push_notices_total',
    help: `Notices for the devices of a user whose time has come, by outcome: ${OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const outcome of OUTCOMES) notices.inc({ outcome }, 0)
  new Gauge({
    name: 'push_notice_lag_seconds',
    help: 'How long the oldest notice for devices has been waiting to be handed over.',
    registers: [metrics],
    async collect() {
      // Without the database this metric is unknown, but all others are still reported.
      this.set(await measureNoticeLag(db).catch(() => Number.NaN))
    },
  })
  return (outcome) => notices.inc({ outcome })
}
