import type { AppError } from '@tms/contracts'
import { allowOf } from './allow.ts'
import type { AnswerTarget } from './answer-target.ts'
import { trackAnswerBytes } from './buffered-bytes.ts'
import { retryAfterOf } from './retry-after.ts'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** An answer of SCIM (RFC 7644). */
export class ScimAnswer {
  readonly status: number
  /** Null for none. */
  readonly body: object | null
  /** The address of a resource that was created; otherwise null. */
  readonly location: string | null

  constructor(status: number, body: object | null, location: string | null = null) {
    this.status = status
    this.body = body
    this.location = location
  }
}

export function replyScim(response: AnswerTarget, { status, body, location }: ScimAnswer): void {
  send(response, status, body, location === null ? {} : { location })
}

/** Answers an error as SCIM has it; details of the error may name its `scim_type`. */
export function replyScimError(response: AnswerTarget, error: AppError): void {
  const { status, message: detail, details, code } = error
  const named = details['scim_type']
  const scimType = typeof named === 'string' ? named : code === 'BAD_REQUEST' ? 'invalidValue' : null
  const special: Record<string, string> = {}
  if (status === 401) special['www-authenticate'] = 'Bearer realm="scim"'
  const allow = allowOf(error)
  if (allow !== null) special['allow'] = allow
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== null) special['retry-after'] = String(retryAfter)
  // The rest of an oversize body would otherwise be read as the next request.
  if (code === 'REQUEST_TOO_LARGE') special['connection'] = 'close'
  const body = {
    schemas: [ERROR_SCHEMA],
    ...(scimType !== null && { scimType }),
    detail,
    status: String(status),
  }
  send(response, status, body, special)
}

function send(
  response: AnswerTarget,
  status: number,
  body: object | null,
  special: Readonly<Record<string, string>>,
): void {
  const usual = { 'cache-control': 'private, no-store', ...special }
  if (body === null) return void response.writeHead(status, usual).end()
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  trackAnswerBytes(response, length)
  response
    .writeHead(status, { 'content-type': 'application/scim+json', 'content-length': length, ...usual })
    .end(text)
}
