import { AppError } from '@tms/contracts'
import { inTransaction, type Pool, type Tx } from '@tms/service-kit'

/** How often something begins anew because the message was moved before its place was locked. */
const MAX_TRIES = 20

/** A message no longer stands in the place that was locked for it. */
export class MessageMovedError extends Error {}

/**
 * Runs `work` in a transaction, and again in a new one for each `MessageMovedError`: whatever comes at the same time as a
 * move of its message follows the message. A new transaction, because locks of a second place on top of those of the first
 * could deadlock with the next move. Throws SERVICE_UNAVAILABLE where the message moves all the time.
 */
export async function followingMoves<T>(db: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await inTransaction(db, work)
    } catch (err) {
      if (!(err instanceof MessageMovedError)) throw err
    }
  }
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'The messages are being moved by others; try again' })
}
