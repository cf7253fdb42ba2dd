import type { EventQueue } from '@tms/test-kit'
import type { Endless } from './forever.ts'

const WAIT_MS = 60_000

/** Resolves when each queue was told so many more events. Rejects when none come, with the reason if those who make them know it. */
export async function traffic(
  queues: readonly EventQueue[],
  count: number,
  makers: readonly Pick<Endless, 'failed'>[],
): Promise<void> {
  const marks = queues.map(({ events }) => events.length + count)
  const told = queues.map((queue, index) =>
    queue.until(() => queue.events.length >= (marks[index] ?? 0), 'traffic', WAIT_MS),
  )
  await Promise.race([Promise.all(told), ...makers.map(({ failed }) => failed)])
}
