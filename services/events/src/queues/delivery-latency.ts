import type { LogEntry } from '@tms/contracts'
import { Histogram, type Registry } from '@tms/service-kit'

/** From a delivery on an idle machine up to one that a takeover or a lost host has delayed. */
const BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60]

/** Measures how long events take to reach clients that wait for them. */
export interface DeliveryLatency {
  /** Call when an answer was written. `oldestAt` is the time of the oldest entry in it (`findOldestAt`). */
  recordAnswer(oldestAt: number): void
}

export function createDeliveryLatency(registers: Registry[], now: () => number): DeliveryLatency {
  const seconds = new Histogram({
    name: 'event_delivery_seconds',
    help: 'Time from an event’s insertion into the outbox to the answer of a poll that was pending when its queue got it; events that a later poll reads are not counted.',
    buckets: BUCKETS,
    registers,
  })
  return {
    // The two times are from clocks of different hosts: an event may seem to arrive before it was inserted.
    recordAnswer: (oldestAt) => seconds.observe(Math.max(0, now() - oldestAt) / 1000),
  }
}

/** The time of the oldest of these entries, which isn't the first if they are from several producers; null if none has one. */
export function findOldestAt(entries: Iterable<Pick<LogEntry, 'at'>>): number | null {
  let oldest = Number.POSITIVE_INFINITY
  for (const { at } of entries) if (at < oldest) oldest = at
  return Number.isFinite(oldest) ? oldest : null
}
