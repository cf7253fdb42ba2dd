import { AppError } from '@tms/contracts'
import type { LogTail } from '../log/log-tail.ts'

/** The offset that the log has come to by now. Throws SERVICE_UNAVAILABLE while the broker doesn't tell. */
export async function findLogEnd(feed: Pick<LogTail, 'findEnd'>): Promise<number> {
  return feed.findEnd().catch((cause: unknown) => {
    throw new AppError('SERVICE_UNAVAILABLE', { cause })
  })
}
