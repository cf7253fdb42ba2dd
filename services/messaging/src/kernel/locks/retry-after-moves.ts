import { AppError } from '@tms/contracts'
import { type Pool, type Tx, transact } from '@tms/service-kit'

/** Retries before giving up because the message was moved each time before its recipient was locked. */
const MAX_TRIES = 20

/** A message is no longer at the recipient that was locked for it. */
export class MessageMovedError extends Error {}

/**
 * Runs `work` in a transaction, and again in a new one after each `MessageMovedError`, so that a change follows a
 * message that is moved at the same time. The transaction must be new: locking a second recipient while holding
 * the first could deadlock with the next move. Throws SERVICE_UNAVAILABLE if the message keeps moving.
 */
export async function retryAfterMoves<T>(db: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await transact(db, work)
    } catch (err) {
      if (!(err instanceof MessageMovedError)) throw err
    }
  }
  throw new AppError('SERVICE_UNAVAILABLE', { message: 'The messages are being moved by others; try again' })
}
