import { AppError, type ErrorCode, errorTable, type InternalEndpoint } from '@tms/contracts'
import type { z } from 'zod'

/** A peer that takes longer is treated as away; too small fails calls on a busy machine. */
const CALL_TIMEOUT_MS = 5_000

/** Calls another service's internal endpoint. */
export type InternalClient = <B extends z.ZodType, R extends z.ZodType>(
  endpoint: InternalEndpoint<B, R>,
  body: z.input<B>,
  options?: { readonly requestId?: string; readonly timeoutMs?: number },
) => Promise<z.output<R>>

/**
 * A client over the replicas of each owner: they are taken in turn, and one that can't be reached is passed
 * over for the next. Throws the peer's own error, or SERVICE_UNAVAILABLE when none answers.
 */
export function createInternalClient(
  urlsByOwner: Readonly<Record<string, readonly string[]>>,
  token: () => string,
): InternalClient {
  let turn = 0
  return async (endpoint, body, { requestId, timeoutMs = CALL_TIMEOUT_MS } = {}) => {
    const urls = urlsByOwner[endpoint.owner] ?? []
    let lastError: unknown
    for (let attempt = 0; attempt < urls.length; attempt++) {
      const base = urls[turn++ % urls.length]
      let response: Response
      try {
        response = await fetch(base + endpoint.path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token()}`,
            ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const answer: unknown = await response.json()
        if (response.ok) return answer as z.output<typeof endpoint.response>
        if (response.status !== 503) throw asPeerError(answer)
        lastError = answer
      } catch (err) {
        if (err instanceof AppError) throw err
        lastError = err
      }
    }
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: `The ${endpoint.owner} service does not answer; try again shortly`,
      cause: lastError,
    })
  }
}

function asPeerError(answer: unknown): AppError {
  const { result: _result, msg, code, ...details } = answer as Record<string, unknown>
  const known = typeof code === 'string' && code in errorTable ? (code as ErrorCode) : 'INTERNAL'
  return new AppError(known, { message: String(msg), details })
}
