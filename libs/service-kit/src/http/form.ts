import type { IncomingMessage } from 'node:http'
import { AppError, badRequest, limits } from '@tms/contracts'
import busboy from 'busboy'

/** Raw fields of a request by name; of a repeated name the last value counts. */
export type Fields = Map<string, string>

/** More than any endpoint has; each costs more than its bytes. */
const MAX_MULTIPART_FIELDS = 1_000

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

/** A body that says something, in a form in which nobody looks for fields. */
export interface UnreadBody {
  /** Without its parameters; empty when the client names none. */
  readonly contentType: string
  readonly isJson: boolean
}

/**
 * Reads the form fields of a request's body into `fields`. A body of another content type has none (API document,
 * introduction) and is returned, so that the client can be told. Throws REQUEST_TOO_LARGE or BAD_REQUEST.
 */
export async function readBodyFields(request: IncomingMessage, fields: Fields): Promise<UnreadBody | null> {
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';')
  const contentType = type.trim()
  if (contentType === 'multipart/form-data') {
    await readMultipart(request, fields)
    return null
  }
  const body = await readBody(request)
  if (contentType === 'application/x-www-form-urlencoded') {
    readUrlEncoded(decodeUtf8(body), fields)
    return null
  }
  const isJson = /^application\/(.+\+)?json$/.test(contentType)
  // Libraries send an empty value where they were given nothing to send.
  const saysNothing = isJson
    ? /^\s*(\{\s*\}|\[\s*\]|""|null)?\s*$/.test(body.toString('latin1'))
    : body.length === 0
  return saysNothing ? null : { contentType, isJson }
}

/** The whole body, at most `limits.maxRequestBodyBytes`. Throws REQUEST_TOO_LARGE. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // What is too much is read on and dropped, so that the client gets to read the refusal.
      if (bytes > limits.maxRequestBodyBytes) reject(tooLarge())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', () => reject(badRequest('The request was cut off')))
    request.on('close', () => {
      if (!request.complete) reject(badRequest('The request was cut off'))
    })
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

function tooLarge(): AppError {
  return new AppError('REQUEST_TOO_LARGE', {
    message: `The request body is larger than ${limits.maxRequestBodyBytes} bytes`,
  })
}

function readMultipart(request: IncomingMessage, fields: Fields): Promise<void> {
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy
    try {
      parser = busboy({
        headers: request.headers,
        limits: { fieldSize: limits.maxRequestBodyBytes, fields: MAX_MULTIPART_FIELDS },
      })
    } catch {
      reject(badRequest('The multipart body has no boundary'))
      return
    }
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.maxRequestBodyBytes) reject(tooLarge())
    })
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated) reject(tooLarge())
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => reject(badRequest(`A request has at most ${MAX_MULTIPART_FIELDS} fields`)))
    parser.on('file', (_name, file) => file.resume())
    parser.on('error', () => reject(badRequest('The multipart body is malformed')))
    parser.on('close', () => resolve())
    request.on('aborted', () => reject(badRequest('The request was cut off')))
    request.pipe(parser)
  })
}
