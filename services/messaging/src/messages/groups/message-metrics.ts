import { Counter, Histogram, type Registry } from '@tms/service-kit'
import type { GroupObserver } from './message-groups.ts'

/** Measures how messages are stored. */
export function createMessageMetrics(metrics: Registry): GroupObserver {
  const sizes = new Histogram({
    name: 'message_group_size',
    help: 'Messages that a statement or transaction was to store.',
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers: [metrics],
  })
  const times = new Histogram({
    name: 'message_store_seconds',
    help: 'Time from the end of a message’s checks until it was stored, with the waits for its turn and for locks.',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15],
    registers: [metrics],
  })
  const undone = new Counter({
    name: 'message_groups_undone_total',
    help: 'Groups of several messages that the server rolled back, so that each message was stored by itself.',
    registers: [metrics],
  })
  const refused = new Counter({
    name: 'messages_refused_total',
    help: 'Messages that were refused because they could not be stored in time.',
    registers: [metrics],
  })
  return {
    sent: (count) => sizes.observe(count),
    stored: (ms) => times.observe(ms / 1_000),
    undone: () => undone.inc(),
    refused: () => refused.inc(),
  }
}
