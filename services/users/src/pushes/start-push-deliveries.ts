import { type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { SendResult } from '../kernel/pushes/push.ts'
import { recordFailure, recordSuccess } from '../kernel/pushes/push-device.queries.ts'
import { forgetGoneDevice } from '../kernel/pushes/record-devices.ts'
import { retryDelayMs } from '../kernel/pushes/retry.rules.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { createNoticeRenewal, FRESH_SECONDS, type RenewNotice } from './current-texts.ts'
import { createDeliveryDeleter, type DeleteFinished } from './delete-finished.ts'
import {
  type Delivery,
  hasDueDeliveries,
  LEASE_MS,
  leaseDueDeliveries,
  postponeDelivery,
  renewLeases,
  type Slots,
} from './delivery.queries.ts'
import { type PushResult, registerPushMetrics } from './push-metrics.ts'
import { findPushObstacle } from './push-notices.ts'
import { pushRealmOf } from './push-realm.rules.ts'
import { slotsOf } from './slots.rules.ts'

/** A browser or distributor that nothing has reached for so long is gone; if it isn't, its page registers it again. */
const MAX_FAILING_SECONDS = 7 * 86_400
/** Of one delivery, which takes an hour: two short failures with a week between them mean nothing. */
const MIN_FAILURES_OF_GONE = 20
/** Attempts that the service may have taken although it didn't say so: each may have shown the notice. */
const MAX_UNCLEAR = 3
/** Between rounds while attempts are made: each that ends makes space, and a round for each costs more than they do. */
const ROUND_MS = 25
/** For other replicas and retries; the replica that queues wakes its own loop. */
const PAUSE_MS = 1_000

/**
 * Sends what is queued to devices. Replicas lease deliveries; one that dies after the service has taken a notice and
 * before that is recorded has it sent twice. Deliveries are no jobs of the job library: they would take the workers
 * that mails need while a service doesn't answer, and stay locked for hours if a replica dies.
 */
export function startPushDeliveries(context: Context, metrics: Registry, log: Logger): Loop {
  const { db } = context
  const count = registerPushMetrics(db, metrics)
  const renewNotice = createNoticeRenewal(context)
  const deleteFinished = createDeliveryDeleter(db, log)
  const running = new Map<string, Running>()
  /** When a service that has asked for a pause may be called again, by target. */
  const pausedUntil = new Map<string, number>()

  const start = (delivery: Delivery) => {
    const attempt = deliver(context, delivery, { pausedUntil, renewNotice, deleteFinished }, log)
      .then((result) => count(delivery.service, result))
      .catch((err: unknown) => log.warn({ err }, 'push delivery waits for the end of its lease'))
      .finally(() => running.delete(delivery.id))
    running.set(delivery.id, { delivery, attempt, renewAt: nextRenewal() })
  }
  /** Keeps other replicas from what takes long here: a service may take it in the end. */
  const renew = async () => {
    const late = [...running.values()].filter(({ renewAt }) => renewAt <= performance.now())
    if (late.length === 0) return
    const renewed = await renewLeases(
      db,
      late.map(({ delivery }) => delivery),
    )
    for (const { delivery } of late) {
      const [own, leasedUntil] = [running.get(delivery.id), renewed.get(delivery.id)]
      if (own && leasedUntil !== undefined)
        running.set(delivery.id, { ...own, delivery: { ...delivery, leasedUntil }, renewAt: nextRenewal() })
    }
  }
  const findSlots = (): Slots => {
    const now = context.now().getTime()
    for (const [target, until] of pausedUntil) if (until <= now) pausedUntil.delete(target)
    return slotsOf(
      [...running.values()].map(({ delivery }) => delivery),
      pausedUntil,
    )
  }

  const loop = startLoop({
    name: 'push deliveries',
    log,
    round: async (signal) => {
      if (signal.aborted) return ROUND_MS
      const leased = (await hasDueDeliveries(db)) ? await leaseDueDeliveries(db, findSlots()) : []
      for (const delivery of leased) {
        const own = running.get(delivery.id)
        if (own) running.set(delivery.id, { ...own, delivery, renewAt: nextRenewal() })
        else start(delivery)
      }
      await renew()
      return running.size > 0 ? ROUND_MS : PAUSE_MS
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await Promise.all([...running.values()].map(({ attempt }) => attempt))
    },
  }
}

interface Running {
  readonly delivery: Delivery
  readonly attempt: Promise<void>
  /** When its lease is renewed, by the clock of `performance.now()`. */
  readonly renewAt: number
}

/** What all attempts share. */
interface AttemptContext {
  readonly pausedUntil: Map<string, number>
  readonly renewNotice: RenewNotice
  readonly deleteFinished: DeleteFinished
}

const nextRenewal = (): number => performance.now() + LEASE_MS / 2

async function deliver(
  context: Context,
  delivery: Delivery,
  { pausedUntil, renewNotice, deleteFinished }: AttemptContext,
  log: Logger,
): Promise<PushResult> {
  const { db, pushes } = context
  const { id, realmId, service, target, secondsLeft } = delivery
  // Every line has the key `service`, of which collectors keep one.
  const ofPush = {
    ...{ pushId: id, pushService: service, target, kind: delivery.notice.kind },
    ...{ realmId, userId: delivery.accountId },
  }
  const sender = pushes.senders[service]
  const realm = await getRealm(context, realmId)
  const isDue = secondsLeft > 0 && sender !== undefined && (await isWanted(context, delivery, realm))
  const notice = isDue ? await renewNotice(delivery.accountId, delivery.notice, delivery.waitedSeconds) : null
  if (sender === undefined || notice === null) {
    await deleteFinished(delivery)
    return 'expired'
  }
  const sent = await sender.send(delivery, {
    ...{ id, notice, realm: pushRealmOf(realm) },
    ...{ realmId, userId: delivery.accountId },
    ...{ language: delivery.language, ttlSeconds: Math.ceil(secondsLeft) },
  })
  const result = endUnclear(sent, delivery)
  const isGone = result.kind === 'gone' || (result.kind === 'retry' && (await isDead(context, delivery)))
  if (result.kind === 'sent' && delivery.isFailing) await recordSuccess(db, delivery.deviceId)
  if (result.kind === 'retry' && !isGone) await retry(context, delivery, result, pausedUntil)
  else if (isGone) await forgetGoneDevice(context, delivery)
  else await deleteFinished(delivery)
  if (result.kind === 'sent') log.info(ofPush, 'notification sent')
  // The service can't do with what it got, whatever device it is for: an operator has to look.
  else if (result.kind === 'refused' && !result.isOfUser)
    log.warn({ ...ofPush, reason: result.reason }, 'notification refused')
  else log.info({ ...ofPush, reason: result.reason }, 'notification not sent')
  if (isGone) return 'gone'
  if (result.kind === 'refused' && result.isOfUser) return 'refused_by_address'
  return result.kind === 'retry' ? 'retried' : result.kind
}

/** Whether what has waited is still to be sent: meanwhile the organization, the account or its settings may have changed. */
async function isWanted(
  { prisma }: Context,
  { realmId, accountId, notice, failures, waitedSeconds }: Delivery,
  realm: { readonly is_active: boolean },
): Promise<boolean> {
  if (!realm.is_active) return false
  const isFresh = failures === 0 && waitedSeconds < FRESH_SECONDS
  if (isFresh || (notice.kind !== 'message' && notice.kind !== 'summary')) return true
  const account = await findAccount(prisma, realmId, accountId)
  return account !== null && findPushObstacle(account, realm) === null
}

/** Records a failure. Returns whether there have been failures alone for so long that the device must be gone. */
async function isDead({ db }: Context, { service, deviceId, failures }: Delivery): Promise<boolean> {
  const seconds = await recordFailure(db, deviceId)
  return service === 'web_push' && seconds > MAX_FAILING_SECONDS && failures >= MIN_FAILURES_OF_GONE
}

/** The result of an attempt, which is a refusal if the service may have taken the notice often enough. */
const endUnclear = (result: SendResult, { unclear }: Delivery): SendResult =>
  result.kind === 'retry' && result.isUnclear && unclear + 1 >= MAX_UNCLEAR
    ? { kind: 'refused', reason: `${result.reason}, ${MAX_UNCLEAR} times` }
    : result

async function retry(
  { db, now }: Context,
  delivery: Delivery,
  { afterMs, scope, isUnclear = false }: Extract<SendResult, { kind: 'retry' }>,
  pausedUntil: Map<string, number>,
): Promise<void> {
  if (afterMs !== null && scope === 'service') pausedUntil.set(delivery.target, now().getTime() + afterMs)
  await postponeDelivery(db, delivery, {
    delayMs: retryDelayMs(delivery.failures, afterMs),
    isUnclear,
  })
}
