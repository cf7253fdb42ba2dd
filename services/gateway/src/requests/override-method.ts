import type { IncomingMessage } from 'node:http'
import { API_PREFIX, AppError, badRequest, type Method } from '@tms/contracts'
import type { RouteTable } from '@tms/service-kit'
import { type FormEncoding, findMethodField, formEncodingOf, queryOfForm } from './method-field.rules.ts'
import { isOfUploads } from './response-headers.ts'

/**
 * How much of a body is read for its `method` field before authentication. Services, which see the whole form, refuse
 * a field that comes later: the request must not act as another method than intended.
 */
const MAX_BYTES = 16 * 1024
const METHODS: ReadonlySet<string> = new Set<Method>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

interface WaitLimits {
  readonly answerTimeoutMs: number
  /** Called before a form that doesn't come in time is refused. */
  readonly onSlow: () => void
}

/**
 * A POST whose form has a field `method` acts as that method, and the code after this sees no difference. Existing
 * clients send this if their platform knows only GET and POST. Other bodies aren't read. Throws METHOD_NOT_ALLOWED
 * for a method that the path doesn't have, BAD_REQUEST for a form too long for a GET, or one that doesn't come in
 * time.
 */
export async function overrideMethod(
  request: IncomingMessage,
  path: string,
  table: RouteTable<unknown>,
  limits: WaitLimits,
): Promise<void> {
  if (request.method !== 'POST' || !path.startsWith(API_PREFIX)) return
  if (isOfUploads(path)) return overrideByHeader(request, path, table)
  const encoding = formEncodingOf(request.headers['content-type'])
  if (encoding === null || request.headers['content-length'] === '0') return
  const { bytes, isWhole } = await readFirstBytes(request, encoding, limits)
  const { value } = findMethodField(bytes, encoding, isWhole)
  if (value === null || value === 'POST') return
  if (!METHODS.has(value)) throw notAllowed(table.allowedMethods(path))
  if (value === 'GET') {
    // As a query it may be three times as long, which services accept beside a URL of maximum length.
    if (!isWhole || bytes.length > MAX_BYTES)
      throw badRequest(`A form that acts as GET has at most ${MAX_BYTES} bytes`)
    const query = queryOfForm(bytes, encoding)
    const url = request.url ?? ''
    if (query !== '') request.url = `${url}${url.includes('?') ? '&' : '?'}${query}`
    request.resume()
  }
  request.method = value
}

/** The protocol of uploads in parts names the method in a header, since a body is bytes. */
function overrideByHeader(request: IncomingMessage, path: string, table: RouteTable<unknown>): void {
  const value = request.headers['x-http-method-override']
  if (value === undefined) return
  if (typeof value !== 'string' || !METHODS.has(value)) throw notAllowed(table.allowedMethods(path))
  request.method = value
}

function notAllowed(allowed: readonly string[]): AppError {
  if (allowed.length === 0) return new AppError('NOT_FOUND', { message: 'There is no endpoint at this path' })
  return new AppError('METHOD_NOT_ALLOWED', {
    message: 'The method that a field or a header names is not allowed here',
    details: { allowed_methods: [...allowed] },
  })
}

/** Reads until the field is found or enough was read, and puts all of it back. Rejects with BAD_REQUEST. */
function readFirstBytes(
  request: IncomingMessage,
  encoding: FormEncoding,
  { answerTimeoutMs, onSlow }: WaitLimits,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  return new Promise((resolve, reject) => {
    const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    let bytes: Buffer = Buffer.alloc(0)
    const stop = () => {
      clearTimeout(timer)
      request.off('readable', read).off('end', finish).off('close', finish)
    }
    const finish = () => {
      stop()
      if (bytes.length > 0) request.unshift(bytes)
      resolve({ bytes, isWhole: bytes.length >= length || request.complete })
    }
    const read = () => {
      for (let chunk = request.read(); chunk !== null; chunk = request.read())
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      // After the request's end nothing can be put back.
      const isEnough = request.complete || bytes.length >= Math.min(length, MAX_BYTES)
      if (isEnough || (encoding.boundary !== null && findMethodField(bytes, encoding, false).isFinal))
        finish()
    }
    const timer = setTimeout(() => {
      stop()
      onSlow()
      reject(badRequest('The request did not come in time'))
    }, answerTimeoutMs)
    request.on('readable', read).once('end', finish).once('close', finish)
  })
}
