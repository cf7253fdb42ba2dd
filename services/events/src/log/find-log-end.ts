import { AppError } from '@tms/contracts'
import type { LogTail } from './log-tail.ts'

/** Finds the newest offset of the log. Throws SERVICE_UNAVAILABLE while the broker doesn't answer. */
export async function findLogEnd(logTail: Pick<LogTail, 'findEnd'>): Promise<number> {
  return logTail.findEnd().catch((cause: unknown) => {
    throw new AppError('SERVICE_UNAVAILABLE', { cause })
  })
}
