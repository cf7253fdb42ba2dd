import { randomUUID } from 'node:crypto'
import { type Digest, internal, type RealmProjection } from '@tms/contracts'
import { type Logger, type Loop, type Registry, startLoop, transact } from '@tms/service-kit'
import type { z } from 'zod'
import { findAccounts } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { countQueuedJobs } from '../kernel/jobs/job.queries.ts'
import { DIGEST_PRIORITY, queueNotificationMails } from '../kernel/jobs/queue-mail.ts'
import type { Mail } from '../kernel/mails/mail.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { composeDigestOf } from './compose-digest.ts'
import {
  advanceDigests,
  type DigestCandidate,
  type DigestPosition,
  findDigestRealm,
  leaseDigests,
  listDigestCandidates,
  recordDigests,
  returnDigests,
} from './digest.queries.ts'
import { registerDigestMetrics } from './digest-metrics.ts'
import { createDigestTime, NEWS_MS, nextSlot, slotOf, weekdaysOf } from './digest-slot.rules.ts'
import { digestAddresseeOf, findDigestObstacle } from './renew-digest.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Users who were active within this time know what happened. */
const AWAY_MS = 5 * DAY_MS
/** No user gets two digests on a day, whatever is changed. */
const MIN_BETWEEN_MS = HOUR_MS * 12
/** A digest that comes later is left out: the next one comes in less than a week. */
const MAX_LATE_MS = DAY_MS
/** What is later than this was recorded by a clock that was wrong, and counts for nothing: digests would stop until then. */
const MAX_AHEAD_MS = 2 * HOUR_MS
/** Accounts that are read at once, and digests that are described by one call. */
const MAX_ACCOUNTS = 500
const MAX_DIGESTS = 10
/** Digests that may wait for the mail server: a large organization has many, and other mails must not be behind them. */
const MAX_QUEUED = 200
/** Of those that failed before, which wait for hours: a few mailboxes that take nothing stop no others, a mail server that is down does. */
const MAX_RETRIED = 10_000
/** A replica that dies is replaced after this time. Longer than a round takes. */
const LEASE_MS = 60_000
const CALL_TIMEOUT_MS = 30_000
const IDLE_MS = 5_000
const FULL_MS = 1_000
const RETRY_MS = 10_000

/**
 * Mails digests, hour by hour: in each, to users in time zones where it is evening on the day of their organization. All replicas
 * run it, one at a time works. What a round queues is stored in the transaction that records up to where it is done, so
 * each user gets one digest whatever dies.
 */
export function startDigests(context: Context, metrics: Registry, log: Logger): Loop {
  const { db, now } = context
  const count = registerDigestMetrics(db, now, metrics)
  const holder = randomUUID()
  const loop = startLoop({
    name: 'digests',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const at = await leaseDigests(db, holder, LEASE_MS)
      if (at === null) return IDLE_MS
      const current = slotOf(now())
      if (at.slot.getTime() > current.getTime() + MAX_AHEAD_MS) {
        log.warn({ slot: at.slot }, 'digests were mailed by a clock that was ahead')
        return goTo(context, at, nextSlot(current))
      }
      if (at.slot.getTime() > current.getTime()) return IDLE_MS
      const oldest = new Date(current.getTime() - MAX_LATE_MS)
      if (at.slot < oldest) return goTo(context, at, oldest)
      const found = await findDigestRealm(db, at.realmId, weekdaysOf(at.slot))
      if (found === null) return goTo(context, at, nextSlot(at.slot))
      if (await isQueueFull(context)) return FULL_MS
      const isSame = found.realmId === at.realmId
      const done = await mailSome(context, { at, ...found, afterId: isSame ? at.userId : 0 }, log)
      if (done !== null) {
        count('queued', done.queued)
        count('empty', done.empty)
        count('failed', done.failed)
      }
      return 0
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await returnDigests(db, holder).catch(() => {})
    },
  }
}

async function isQueueFull({ db }: Context): Promise<boolean> {
  const { first, again } = await countQueuedJobs(db, DIGEST_PRIORITY, {
    ...{ first: MAX_QUEUED + 1, again: MAX_RETRIED + 1 },
  })
  return first > MAX_QUEUED || again > MAX_RETRIED
}

async function goTo({ db }: Context, from: DigestPosition, slot: Date): Promise<number> {
  await advanceDigests(db, from, { slot, realmId: 0, userId: 0 })
  return 0
}

interface Done {
  readonly queued: number
  readonly empty: number
  readonly failed: number
}

/** Mails the next digests of an organization; null if another replica has done so. */
async function mailSome(
  context: Context,
  page: {
    readonly at: DigestPosition
    readonly realmId: number
    readonly weekday: number
    readonly afterId: number
  },
  log: Logger,
): Promise<Done | null> {
  const { db, now } = context
  const { at, realmId, weekday, afterId } = page
  const candidates = await listDigestCandidates(db, realmId, afterId, MAX_ACCOUNTS)
  const isTime = createDigestTime(at.slot)
  const due = await selectAway(
    context,
    realmId,
    candidates.filter((each) => each.isWilling && isTime(each.timezone, weekday)),
  )
  const chosen = due.slice(0, MAX_DIGESTS)
  const realm = await getRealm(context, realmId)
  const questions = questionsOf(chosen, now())
  const { digests, failures } = await describe(context, realmId, questions)
  for (const failure of failures) log.error(failure, 'a digest could not be described, and is left out')
  const mails = await compose(
    context,
    realm,
    digests,
    new Map(questions.map((question) => [question.user_id, question])),
  )
  const isRest = due.length === chosen.length
  const lastId = (isRest ? candidates : chosen).at(-1)?.id ?? 0
  const isLastPage = isRest && candidates.length < MAX_ACCOUNTS
  const to = isLastPage ? { realmId: realmId + 1, userId: 0 } : { realmId, userId: lastId }
  const isFirst = await transact(db, async (tx) => {
    if (!(await advanceDigests(tx, at, { slot: at.slot, ...to }))) return false
    await recordDigests(
      tx,
      realmId,
      mails.map(({ userId }) => userId),
      now(),
    )
    await queueNotificationMails(
      tx,
      mails.map(({ mail }) => mail),
      DIGEST_PRIORITY,
    )
    return true
  })
  if (!isFirst) return null
  const failed = failures.length
  return { queued: mails.length, empty: chosen.length - mails.length - failed, failed }
}

/** Of these accounts those that weren't active for some days and had no digest lately. Rejects without presence. */
async function selectAway(
  { presence, now }: Context,
  realmId: number,
  candidates: readonly DigestCandidate[],
): Promise<DigestCandidate[]> {
  const ids = candidates.map(({ id }) => id)
  const seen = new Map((await presence.findAll(realmId, ids)).map((each) => [each.userId, each.activeAt]))
  const at = now().getTime()
  return candidates.filter(
    ({ id, joinedAt, latestDigestAt }) =>
      Math.max(joinedAt.getTime(), (seen.get(id) ?? 0) * 1_000) < at - AWAY_MS &&
      latestOf(latestDigestAt, at) < at - MIN_BETWEEN_MS,
  )
}

/** When a user had the latest digest; 0 for none. */
function latestOf(latestDigestAt: Date | null, now: number): number {
  const latest = latestDigestAt?.getTime() ?? 0
  return latest > now + MAX_AHEAD_MS ? 0 : latest
}

type DigestQuestion = z.output<typeof internal.messaging.describeDigests.body>['users'][number]

/** Since when there is news for each of these users. */
function questionsOf(
  candidates: readonly Pick<DigestCandidate, 'id' | 'latestDigestAt'>[],
  now: Date,
): DigestQuestion[] {
  const at = now.getTime()
  const secondsOf = (ms: number) => Math.floor(ms / 1_000)
  return candidates.map(({ id, latestDigestAt }) => ({
    user_id: id,
    since: secondsOf(Math.max(latestOf(latestDigestAt, at), at - NEWS_MS)),
    away_since: secondsOf(at - AWAY_MS),
  }))
}

function describe(
  { call }: Context,
  realmId: number,
  users: DigestQuestion[],
): Promise<{ digests: Digest[]; failures: { user_id: number; reason: string }[] }> {
  if (users.length === 0) return Promise.resolve({ digests: [], failures: [] })
  return call(
    internal.messaging.describeDigests,
    { realm_id: realmId, users },
    { timeoutMs: CALL_TIMEOUT_MS },
  )
}

/** The mails of digests, to those who want them now. */
async function compose(
  context: Context,
  realm: RealmProjection,
  digests: readonly Digest[],
  asked: ReadonlyMap<number, DigestQuestion>,
): Promise<{ userId: number; mail: Mail }[]> {
  const { now } = context
  const ids = digests.map(({ user_id }) => user_id)
  const accounts = new Map(
    (await findAccounts(context.prisma, realm.realm_id, ids)).map((account) => [account.id, account]),
  )
  return digests.flatMap((digest) => {
    const account = accounts.get(digest.user_id)
    if (!account || findDigestObstacle(account, realm) !== null) return []
    const mail = composeDigestOf(account, realm, digestAddresseeOf(context, account, realm), digest)
    const { since = 0, away_since: awaySince = 0 } = asked.get(account.id) ?? {}
    const said = { at: now().getTime(), since, awaySince }
    const missedBy = { realmId: realm.realm_id, userId: account.id, isDigest: true, digest: said } as const
    return [{ userId: account.id, mail: { ...mail, missedBy } }]
  })
}
