import { AppError } from '@tms/contracts'

/** For one that is another's, was delivered or deleted, or never was. */
export function noSuchMessage(): AppError {
  return new AppError('NO_SUCH_OBJECT', { message: 'Scheduled message does not exist' })
}
