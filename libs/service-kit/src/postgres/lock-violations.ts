import type { Registry } from 'prom-client'
import type { Logger } from '../telemetry/log.ts'
import { Counter } from '../telemetry/metrics.ts'
import type { LockViolation } from './lock-order.ts'

/** Counts and logs each lock that a transaction takes out of order, with the code that takes it. */
export function createLockViolationReport(
  log: Logger,
  metrics: Registry,
): (violation: LockViolation) => void {
  const violations = new Counter({
    name: 'lock_order_violations_total',
    help: 'Locks that a transaction took out of the order of levels: an error of programming, which may cause deadlocks.',
    labelNames: ['level', 'after'],
    registers: [metrics],
  })
  return ({ level, after }) => {
    violations.inc({ level, after })
    log.error({ err: new Error(`${level} locked after ${after}`) }, 'a lock was taken out of order')
  }
}
