import type { Registry } from 'prom-client'
import type { Logger } from '../telemetry/log.ts'
import { Counter } from '../telemetry/metrics.ts'
import type { LockViolation } from './lock-order.ts'

/** The log line of a lock out of order; a system under test that has logged it fails when it stops. */
export const LOCK_OUT_OF_ORDER = 'a lock was taken out of order'

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
    log.error({ err: new Error(`${level} locked after ${after}`) }, LOCK_OUT_OF_ORDER)
  }
}
