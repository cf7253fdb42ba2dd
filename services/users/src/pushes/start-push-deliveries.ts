import { type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { SendResult } from '../kernel/pushes/push.ts'
import { deleteGoneDevice } from '../kernel/pushes/push-device.queries.ts'
import { recordDevicesOf } from '../kernel/pushes/record-devices.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import {
  type Delivery,
  deleteDelivery,
  hasDeliveries,
  leaseDueDeliveries,
  postponeDelivery,
} from './delivery.queries.ts'
import { type PushResult, registerPushMetrics } from './push-metrics.ts'
import { retryDelayMs } from './retry.rules.ts'

/** Concurrent attempts of one replica. They mostly wait. */
const MAX_CONCURRENT = 64
/** Of one service: one that doesn't answer delays only its own. */
const MAX_OF_TARGET = 16
/** Longer than an attempt takes. A replica that dies is replaced after this time. */
const LEASE_MS = 20_000
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
  const running = new Map<string, { readonly target: string; readonly attempt: Promise<void> }>()
  /** When a service that has asked for a pause may be called again, by target. */
  const pausedUntil = new Map<string, number>()

  const start = (delivery: Delivery) => {
    const attempt = deliver(context, delivery, pausedUntil, log)
      .then((result) => count(delivery.service, result))
      .catch((err: unknown) => log.warn({ err }, 'push delivery waits for the end of its lease'))
      .finally(() => running.delete(delivery.id))
    running.set(delivery.id, { target: delivery.target, attempt })
  }
  const busyTargets = (): string[] => {
    const now = context.now().getTime()
    for (const [target, until] of pausedUntil) if (until <= now) pausedUntil.delete(target)
    const counts = Map.groupBy(running.values(), ({ target }) => target)
    const full = [...counts].filter(([, each]) => each.length >= MAX_OF_TARGET).map(([target]) => target)
    return [...pausedUntil.keys(), ...full]
  }

  const loop = startLoop({
    name: 'push deliveries',
    log,
    round: async (signal) => {
      if (signal.aborted || running.size >= MAX_CONCURRENT) return ROUND_MS
      if (!(await hasDeliveries(db))) return PAUSE_MS
      const leased = await leaseDueDeliveries(db, {
        leaseMs: LEASE_MS,
        busyTargets: busyTargets(),
        ofEachTarget: MAX_OF_TARGET,
        limit: MAX_CONCURRENT - running.size,
      })
      for (const delivery of leased) start(delivery)
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

async function deliver(
  context: Context,
  delivery: Delivery,
  pausedUntil: Map<string, number>,
  log: Logger,
): Promise<PushResult> {
  const { db, pushes } = context
  const { id, service, secondsLeft, notice } = delivery
  const ofPush = { pushId: id, service, kind: notice.kind }
  const sender = pushes.senders[service]
  if (secondsLeft <= 0 || sender === undefined) {
    await deleteDelivery(db, id)
    return 'expired'
  }
  const { url, name } = await getRealm(context, delivery.realmId)
  const result = await sender.send(delivery, {
    ...{ id, notice, realm: { url, name }, userId: delivery.accountId },
    ttlSeconds: Math.ceil(secondsLeft),
  })
  if (result.kind === 'retry') await retry(context, delivery, result, pausedUntil)
  else if (result.kind === 'gone') {
    await deleteGoneDevice(db, delivery.deviceId)
    await recordDevicesOf(context, delivery.realmId, delivery.accountId)
  } else await deleteDelivery(db, id)
  if (result.kind === 'sent') log.info(ofPush, 'notification sent')
  // The service can't do with what it got, whatever device it is for: an operator has to look.
  else if (result.kind === 'refused') log.warn({ ...ofPush, reason: result.reason }, 'notification refused')
  else log.info({ ...ofPush, reason: result.reason }, 'notification not sent')
  return result.kind === 'retry' ? 'retried' : result.kind
}

async function retry(
  { db, now }: Context,
  delivery: Delivery,
  { afterMs, scope }: Extract<SendResult, { kind: 'retry' }>,
  pausedUntil: Map<string, number>,
): Promise<void> {
  if (afterMs !== null && scope === 'service') pausedUntil.set(delivery.target, now().getTime() + afterMs)
  await postponeDelivery(db, delivery, {
    delayMs: retryDelayMs(delivery.failures, afterMs),
    ofDevice: afterMs !== null && scope === 'device',
  })
}
