import { type AnyEndpoint, AppError, fileTooLarge, maxBodyBytesOf } from '@tms/contracts'

/** The error for a body of more than `maxBytes`. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError('REQUEST_TOO_LARGE', { message: `The request body is larger than ${maxBytes} bytes` })
}

/** The error for a body that is larger than its endpoint takes; if the endpoint takes a file, the file is too large. */
export function tooLargeFor(
  endpoint: Pick<AnyEndpoint, 'body' | 'maxFileMib'> & Partial<Pick<AnyEndpoint, 'auth'>>,
): AppError {
  // What a program sends to an address is no file.
  const isFromProgram = endpoint.auth === 'user-by-key' || endpoint.auth === 'provisioner'
  return endpoint.body === 'fields' || isFromProgram
    ? bodyTooLarge(maxBodyBytesOf(endpoint))
    : fileTooLarge(endpoint.maxFileMib)
}
