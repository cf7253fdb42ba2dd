import { AppError } from '@tms/contracts'

/** The refusal of a body of more than `maxBytes`. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError('REQUEST_TOO_LARGE', { message: `The request body is larger than ${maxBytes} bytes` })
}
