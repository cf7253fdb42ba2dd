import { limits } from './limits.ts'

/**
 * Every error of the API: its HTTP status and default message. The code is the interface; the message is for people
 * (API document, "Errors"). An entry with its own `code` is sent under that code.
 */
export const errorTable = {
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  NOT_FOUND: { status: 404, message: 'No such endpoint' },
  /** Clients recognize this one by its status. */
  NO_SUCH_OBJECT: { status: 404, code: 'BAD_REQUEST', message: 'No such object' },
  /** This and the next three are of SCIM alone. */
  FORBIDDEN: { status: 403, message: 'Not permitted' },
  CONFLICT: { status: 409, message: 'Not possible at present' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be JSON' },
  NOT_IMPLEMENTED: { status: 501, message: 'Not implemented' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request body is too large' },
  /** For any file that is too large, by however much. */
  FILE_TOO_LARGE: { status: 400, code: 'BAD_REQUEST', message: 'The file is too large' },
  URL_TOO_LONG: {
    status: 414,
    message: `The URL is longer than ${limits.maxUrlBytes} bytes; ask for less at once`,
  },
  /** Raised before there is a request, so the URL may be too long as well. */
  HEADERS_TOO_LARGE: {
    status: 431,
    message: `The URL and the headers are larger than ${limits.maxHeaderBytes} bytes together`,
  },
  REQUEST_VARIABLE_MISSING: { status: 400, message: 'Missing argument' },
  REQUEST_VARIABLE_INVALID: { status: 400, message: 'Bad value for argument' },
  REQUEST_CONFUSING_VAR: { status: 400, message: 'Two names of one argument were sent' },
  BAD_NARROW: { status: 400, message: 'Invalid narrow' },
  BAD_EVENT_QUEUE_ID: { status: 400, message: 'Bad event queue ID' },
  BAD_IMAGE: { status: 400, message: 'The file is no picture that can be read' },
  STREAM_DOES_NOT_EXIST: { status: 400, message: 'Channel does not exist' },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    message: 'You do not have permission to use channel wildcard mentions in this channel.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    message: 'You do not have permission to use topic wildcard mentions in this topic.',
  },
  REALM_UPLOAD_QUOTA: { status: 400, message: "Upload would exceed your organization's upload quota." },
  REACTION_ALREADY_EXISTS: { status: 400, message: 'Reaction already exists.' },
  REACTION_DOES_NOT_EXIST: { status: 400, message: "Reaction doesn't exist." },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    status: 400,
    message: "You only have permission to move some of this topic's messages.",
  },
  /** With `objections`. */
  CANNOT_DEACTIVATE_GROUP_IN_USE: { status: 400, message: 'The user group is in use' },
  /** With `setting_name`. */
  SYSTEM_GROUP_REQUIRED: { status: 400, message: 'The setting must be a system group' },
  /** With `field_name`. */
  EXPECTATION_MISMATCH: { status: 400, message: 'The current value is another one' },
  /** A body that must be JSON. */
  INVALID_JSON: { status: 400, message: 'Malformed JSON' },
  /** With `header`. */
  MISSING_HTTP_EVENT_HEADER: { status: 400, message: 'Missing the HTTP event header' },
  /** With `webhook_name`. */
  ANOMALOUS_WEBHOOK_PAYLOAD: { status: 400, message: 'Unable to parse the payload' },
  INVALID_PUSH_DEVICE_TOKEN: { status: 400, message: 'Device not recognized' },
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: {
    status: 400,
    message: 'Device not recognized by the push relay service',
  },
  PUSH_NOTIFICATIONS_DISALLOWED: {
    status: 400,
    message: 'The push relay service sends no notifications for this organization',
  },
  FAILED_TO_CONNECT_BOUNCER: { status: 502, message: 'The push relay service does not answer' },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: { status: 502, message: 'The push relay service has failed' },
  PUSH_SERVICE_NOT_CONFIGURED: {
    status: 400,
    message: 'The installation has no keys for these notifications',
  },
  /** With `errors`, `sent_invitations`, `daily_limit_reached` and `license_limit_reached`. */
  INVITATION_FAILED: { status: 400, message: 'Nobody was invited' },
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    message: 'The last organization owner, or the last user, cannot be deactivated',
  },
  UNAUTHORIZED_PRINCIPAL: { status: 400, message: 'Must be an organization administrator' },
  UNAUTHORIZED: { status: 401, message: 'Not logged in: API authentication or user session required' },
  /** With `scope`. */
  TOKEN_SCOPE_REQUIRED: { status: 403, message: 'The API token lacks a scope' },
  TOKEN_LIMITED_TO_CHANNELS: {
    status: 403,
    message: 'The API token is limited to channels, and this is not limited to them',
  },
  API_KEY_REQUIRED: { status: 403, message: 'This needs an API key; API tokens are not accepted' },
  AUTHENTICATION_FAILED: { status: 401, message: 'Your username or password is incorrect' },
  PASSWORD_AUTH_DISABLED: {
    status: 401,
    message: 'Password authentication is disabled in this organization',
  },
  USER_DEACTIVATED: { status: 401, message: 'Account is deactivated' },
  REALM_DEACTIVATED: { status: 401, message: 'This organization has been deactivated' },
  NONEXISTENT_SUBDOMAIN: { status: 404, message: 'Invalid subdomain' },
  RATE_LIMIT_HIT: { status: 429, message: 'API usage exceeded rate limit' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable; try again shortly' },
  INTERNAL: { status: 500, message: 'Internal server error' },
} as const satisfies Record<string, { status: number; message: string; code?: string }>

export type ErrorCode = keyof typeof errorTable

/** Errors that shared code raises for any endpoint, so that no endpoint needs to list them. */
export const commonErrors = [
  'BAD_REQUEST',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TOO_LARGE',
  'URL_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_CONFUSING_VAR',
  'UNAUTHORIZED',
  'TOKEN_SCOPE_REQUIRED',
  'TOKEN_LIMITED_TO_CHANNELS',
  'API_KEY_REQUIRED',
  'RATE_LIMIT_HIT',
  'SERVICE_UNAVAILABLE',
  'INTERNAL',
] as const satisfies readonly ErrorCode[]

/** The one error class. `details` become extra fields beside `code` and `msg` in the answer. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(
      options.message ?? errorTable[code].message,
      options.cause === undefined ? {} : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? {}
  }

  get status(): number {
    return errorTable[this.code].status
  }

  /** The code in answers. */
  get publicCode(): string {
    return publicCodeOf(this.code)
  }
}

/** The code under which an error is sent. */
export function publicCodeOf(code: ErrorCode): string {
  const entry: { readonly status: number; readonly code?: string } = errorTable[code]
  return entry.code ?? code
}

/** The error for an invalid value. `bad_value` is text, as fields are: what was sent, or its JSON. */
export function invalidVariable(name: string, value: unknown): AppError {
  const bad_value = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return new AppError('REQUEST_VARIABLE_INVALID', {
    message: `Bad value for '${name}': ${bad_value}`,
    details: { var_name: name, bad_value },
  })
}

/** The generic error that most rules use. */
export function badRequest(message: string): AppError {
  return new AppError('BAD_REQUEST', { message })
}

/** The error for a file of more than `maxMib`. */
export function fileTooLarge(maxMib: number): AppError {
  return new AppError('FILE_TOO_LARGE', {
    message: `The file is larger than the allowed limit of ${maxMib} MiB`,
  })
}
