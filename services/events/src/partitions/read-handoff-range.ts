import type { Logger } from '@tms/service-kit'
import type { HandoffRange } from '../delivery/apply.ts'
import type { LogRecord } from '../log/entry.ts'
import type { LogTail } from '../log/log-tail.ts'

const RETRY_MS = 200

interface ReadOptions {
  readonly partition: number
  readonly logTail: LogTail
  readonly log: Logger
  /** Whether the partition may wait for the broker, now or for another attempt. */
  readonly mayWait: () => boolean
}

/**
 * Reads the records before `end` that must be applied to a new queue. If they are no longer in memory, reads them from the
 * broker until that succeeds. Returns null if they aren't in memory and the partition may not wait, or may no longer.
 */
export async function readHandoffRange(
  { offset, positions, concerns }: HandoffRange,
  end: number,
  { partition, logTail, log, mayWait }: ReadOptions,
): Promise<LogRecord[] | null> {
  const recent = logTail.recent.between(offset, end)
  if (recent) return recent.filter(concerns)
  while (mayWait()) {
    try {
      return await logTail.readRange(offset, end, positions, concerns)
    } catch (err) {
      log.warn({ err, partition }, 'log range could not be read again, will be retried')
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  return null
}
