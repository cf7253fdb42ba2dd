import { Counter, Gauge, type Pool, type Registry } from '@tms/service-kit'
import type { PushService } from '../kernel/pushes/push.ts'
import { measureDeliveries } from './delivery.queries.ts'

const SERVICES: readonly PushService[] = [
  ...(['apns', 'fcm', 'relay', 'web_push'] as const),
  ...(['sealed_apns', 'sealed_fcm', 'sealed_relay_apns', 'sealed_relay_fcm'] as const),
]

/**
 * What becomes of an attempt: a retried one is made again; `gone` means that the device no longer exists, `refused`
 * that another attempt can't help, `refused_by_address` the same of an address that a user named, `expired` that it comes
 * too late.
 */
const RESULTS = ['sent', 'gone', 'refused', 'refused_by_address', 'retried', 'expired'] as const
export type PushResult = (typeof RESULTS)[number]

/** Registers the metrics of pushes and returns the counter. The label `service` is that of all metrics: users. */
export function registerPushMetrics(
  db: Pool,
  metrics: Registry,
): (service: PushService, result: PushResult) => void {
  const pushes = new Counter({
    name: 'pushes_total',
    help: `Attempts to send a notification to a device, by push service and outcome: ${RESULTS.join(', ')}.`,
    labelNames: ['push_service', 'outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const service of SERVICES)
    for (const outcome of RESULTS) pushes.inc({ push_service: service, outcome }, 0)
  let measuring: ReturnType<typeof measureDeliveries> | null = null
  const measure = () => {
    measuring ??= measureDeliveries(db).finally(() => {
      measuring = null
    })
    return measuring
  }
  const gauge = (name: string, help: string, of: 'waiting' | 'lagSeconds') =>
    new Gauge({
      name,
      help,
      labelNames: ['push_service'],
      registers: [metrics],
      async collect() {
        // Without the database these metrics are unknown, but all others are still reported.
        const measured = await measure().catch(() => null)
        for (const service of SERVICES) {
          const found = measured?.find((one) => one.service === service)?.[of]
          this.set({ push_service: service }, measured === null ? Number.NaN : (found ?? 0))
        }
      },
    })
  gauge(
    'push_deliveries_waiting',
    'Notifications that are yet to be sent to a device, by push service, by all replicas; 100000 stands for more.',
    'waiting',
  )
  gauge(
    'push_delivery_lag_seconds',
    'How long the oldest notification has been waiting to be sent to a device, by push service.',
    'lagSeconds',
  )
  return (service, outcome) => pushes.inc({ push_service: service, outcome })
}
