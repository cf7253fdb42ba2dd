import { AppError } from '@tms/contracts'

/** The error for a message that belongs to another user, was sent or deleted, or never existed. */
export function noSuchMessageError(): AppError {
  return new AppError('NO_SUCH_OBJECT', { message: 'Scheduled message does not exist' })
}
