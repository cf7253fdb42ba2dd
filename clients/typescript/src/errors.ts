import type { ErrorCode } from './generated/answers.ts'
import type { ErrorDetails } from './generated/errors.ts'
import { shareAcrossCopies } from './shared-error.ts'

/** The API returned an error (API document, "Errors"). `message` is for people; programs decide by `code`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The operation that was called. */
  readonly operation: string
  /** The HTTP status. */
  readonly status: number
  /** A newer server may have codes that this client doesn't know. */
  readonly code: ErrorCode | (string & {})
  /** The API's text for people; it may change. */
  readonly msg: string
  /** Seconds after which a retry makes sense; null if the server doesn't say. */
  readonly retryAfterSeconds: number | null
  /** The fields beside `code` and `msg`; `is` narrows their type. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    operation: string,
    answer: Pick<ApiError, 'status' | 'code' | 'msg' | 'retryAfterSeconds' | 'details'>,
  ) {
    super(`${operation}: ${answer.msg} (${answer.code})`)
    this.operation = operation
    this.status = answer.status
    this.code = answer.code
    this.msg = answer.msg
    this.retryAfterSeconds = answer.retryAfterSeconds
    this.details = answer.details
  }

  /** Whether the error has this code: the compiler then knows its `details`, such as `stream` of STREAM_DOES_NOT_EXIST. */
  is<Code extends ErrorCode>(
    code: Code,
  ): this is ApiError & {
    readonly code: Code
    readonly details: Code extends keyof ErrorDetails ? Readonly<ErrorDetails[Code]> : unknown
  } {
    return this.code === code
  }
}

/**
 * The API didn't answer: the network failed (see `cause`), it took too long, or something else answered, such as a proxy.
 * Whether the operation took effect is unknown.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly operation: string
  /** HTTP status of an answer that isn't the API's; null if none came. */
  readonly status: number | null
  /** As in `ApiError`. */
  readonly retryAfterSeconds: number | null

  constructor(
    operation: string,
    reason: string,
    options: { status?: number; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(`${operation}: ${reason}`, options.cause === undefined ? {} : { cause: options.cause })
    this.operation = operation
    this.status = options.status ?? null
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

shareAcrossCopies(ApiError, 'ApiError')
shareAcrossCopies(NoAnswerError, 'NoAnswerError')
