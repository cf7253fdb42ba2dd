import type { EventQueue } from '@tms/test-kit'
import type { Repeater } from './repeater.ts'

const WAIT_MS = 60_000

/**
 * Resolves when each queue received this number of further events. Rejects if none arrive, with the reason if their senders
 * know it.
 */
export async function traffic(
  queues: readonly EventQueue[],
  count: number,
  makers: readonly Pick<Repeater, 'failed'>[],
): Promise<void> {
  const marks = queues.map(({ events }) => events.length + count)
  const delivered = queues.map((queue, index) =>
    queue.until(() => queue.events.length >= (marks[index] ?? 0), 'traffic', WAIT_MS),
  )
  await Promise.race([Promise.all(delivered), ...makers.map(({ failed }) => failed)])
}
