import type { ErrorCode } from './generated/answers.ts'
import type { ErrorDetails } from './generated/errors.ts'
import { shareAcrossCopies } from './shared-error.ts'

/** A refusal by the API (API document, "Errors"). `message` is for people; decide by `code`. */
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
  /** Seconds after which trying again makes sense; null where the server doesn't say. */
  readonly retryAfterSeconds: number | null
  /** The fields beside `code` and `msg`; which there are `is` says. */
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

  /** Whether it is this one: the compiler then knows its `details`, such as `stream` of STREAM_DOES_NOT_EXIST. */
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
 * No answer of the API came: the network failed (`cause` says how), it took too long, or something in between answered,
 * such as a proxy. Whether the operation happened is not known.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly operation: string
  /** Of an answer that isn't the API's; null where none came at all. */
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
