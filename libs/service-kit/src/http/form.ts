import { type AppError, badRequest, limits } from '@tms/contracts'
import { type ApiRequest, LinkedRequest, messageOf } from './api-request.ts'
import { trackBodyBytes } from './buffered-bytes.ts'
import { onCutOff } from './cut-off.ts'
import { readMultipart } from './multipart.ts'
import { bodyTooLarge } from './too-large.ts'

/** Raw fields of a request by name; of a repeated name the last value counts. */
export type Fields = Map<string, string>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Adds the fields of an `application/x-www-form-urlencoded` text to `fields`. Throws BAD_REQUEST. */
export function readUrlEncoded(encoded: string, fields: Fields): void {
  if (encoded === '') return
  for (const pair of encoded.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    fields.set(decode(name), equals < 0 ? '' : decode(pair.slice(equals + 1)))
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw badRequest('The request is not valid UTF-8, or not form-encoded')
  }
}

/** A non-empty body in a format from which no fields are read. */
export interface UnreadBody {
  /** Without its parameters; empty if the client names none. */
  readonly contentType: string
  readonly isJson: boolean
}

/** What a body contains beside its form fields. */
export interface ReadBody {
  readonly unread: UnreadBody | null
  /** The bytes of the field `picture`, unchecked; only of multipart bodies, and only if the endpoint takes one. */
  readonly picture: Buffer | null
}

/**
 * Reads the form fields of a request's body into `fields`. A body of another content type has none (API document,
 * introduction) and is returned as `unread`, so that an error can mention it. Throws REQUEST_TOO_LARGE or
 * BAD_REQUEST.
 */
export async function readBodyFields(
  request: ApiRequest,
  fields: Fields,
  { takesPicture }: { takesPicture: boolean },
): Promise<ReadBody> {
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const contentType = type.trim()
  if (contentType === 'multipart/form-data')
    return { unread: null, picture: await readMultipart(messageOf(request), fields, { takesPicture }) }
  const body = await readBody(request)
  if (contentType === 'application/x-www-form-urlencoded') {
    readUrlEncoded(decodeUtf8(body), fields)
    return { unread: null, picture: null }
  }
  const isJson = /^application\/(.+\+)?json$/.test(contentType)
  // Libraries send an empty value if they were given nothing to send.
  const isEmpty = isJson
    ? /^\s*(\{\s*\}|\[\s*\]|""|null)?\s*$/.test(body.toString('latin1'))
    : body.length === 0
  return { unread: isEmpty ? null : { contentType, isJson }, picture: null }
}

/** The whole body, at most `limits.maxRequestBodyBytes`. Throws REQUEST_TOO_LARGE. */
export function readBody(request: ApiRequest): Promise<Buffer> {
  if (request instanceof LinkedRequest) return Promise.resolve(request.body)
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | null = []
    let bytes = 0
    // The rest of a refused body is read and dropped, so that the client gets to read the error.
    const refuse = (error: AppError) => {
      chunks = null
      tracker.release()
      reject(error)
    }
    const tracker = trackBodyBytes(refuse)
    request.on('data', (chunk: Buffer) => {
      if (chunks === null) return
      bytes += chunk.length
      if (bytes > limits.maxRequestBodyBytes) return refuse(bodyTooLarge(limits.maxRequestBodyBytes))
      chunks.push(chunk)
      tracker.add(chunk.length)
    })
    request.on('end', () => {
      tracker.release()
      if (chunks) resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    onCutOff(request, refuse)
  })
}

/** Text of a body. Throws BAD_REQUEST when it is not UTF-8. */
export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('The request body is not valid UTF-8')
  }
}
