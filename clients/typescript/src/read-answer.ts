import { ApiError, NoAnswerError } from './errors.ts'

/** How much of an answer that isn't the API's the error shows. */
const SHOWN_LENGTH = 200

/** Returns the fields of a success. Throws `ApiError` for an error, `NoAnswerError` if the answer isn't the API's. */
export async function readAnswer(
  operation: string,
  base: string,
  response: Response,
): Promise<Record<string, unknown>> {
  const text = await response.text()
  const body = parseObject(text)
  if (body?.['result'] === 'success' && response.ok) return body
  const { result, msg, code, ...details } = body ?? {}
  const retryAfter = details['retry-after']
  const retryAfterSeconds = typeof retryAfter === 'number' ? retryAfter : parseRetryAfter(response.headers)
  if (result === 'error' && typeof msg === 'string' && typeof code === 'string')
    throw new ApiError(operation, { status: response.status, code, msg, retryAfterSeconds, details })
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
  throw new NoAnswerError(
    operation,
    `what answered with ${response.status} at ${base} is not the API: ${shown}`,
    {
      status: response.status,
      retryAfterSeconds,
    },
  )
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000)
}
