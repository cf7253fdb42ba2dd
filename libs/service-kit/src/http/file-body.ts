import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  AppError,
  badRequest,
  fileTooLarge,
  limits,
  maxBodyBytesOf,
  maxFileUploadBytes,
} from '@tms/contracts'
import busboy from 'busboy'
import { onCutOff } from './cut-off.ts'
import type { Fields } from './form.ts'

/** A file while it is received. Its stream fails if the file turns out too large, or the client leaves. */
export interface IncomingFile {
  /** The client's file name, without folders; may be empty or any text. */
  readonly name: string
  /** The client's content type, in lower case. */
  readonly contentType: string
  readonly stream: Readable
}

/**
 * Reads the body's one file: `consume` is called when it begins, and must read its stream to the end or destroy it.
 * Resolves with the result of `consume` once the whole body was received. Rejects with BAD_REQUEST or FILE_TOO_LARGE,
 * even if `consume` has finished: what comes after the file may be wrong.
 */
export type ReceiveFile = <T>(consume: (file: IncomingFile) => Promise<T>) => Promise<T>

/** No such endpoint needs more; each costs memory until the body has ended. */
const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 1_000
/** Bytes of a refused upload that are read and dropped; after that the connection ends. */
const MAX_DRAINED_BYTES = maxBodyBytesOf({ body: 'file', maxFileMib: limits.maxFileUploadMib })

/** A receiver for `request`; form fields beside the file are added to `fields`. */
export function fileReceiver(request: IncomingMessage, fields: Fields): ReceiveFile {
  return async <T>(consume: (file: IncomingFile) => Promise<T>): Promise<T> => {
    const parser = createParser(request)
    const consumed: Promise<T>[] = []
    let failure: unknown = null
    const parsed = new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => {
        failure ??= error
        request.unpipe(parser)
        // The file's stream fails too, so that nobody takes it for complete.
        parser.destroy(asError(failure))
        reject(asError(failure))
      }
      /** For errors raised in the middle of a part, where the parser can't be destroyed safely. */
      const failSoon = (error: AppError) => {
        failure ??= error
        process.nextTick(fail, error)
      }
      parser.on('file', (_field, stream, { filename, mimeType }) => {
        // The stream's reader gets its errors as well.
        stream.on('error', () => {})
        stream.on('limit', () => failSoon(fileTooLarge(limits.maxFileUploadMib)))
        const result = consume({ name: filename ?? '', contentType: mimeType.toLowerCase(), stream })
        result.catch(fail)
        consumed.push(result)
      })
      parser.on('filesLimit', () => failSoon(badRequest('You may only upload one file at a time')))
      parser.on('fieldsLimit', () => failSoon(badRequest(`A request has at most ${MAX_FIELDS} fields`)))
      parser.on('field', (name, value) => fields.set(name, value))
      parser.on('error', () => fail(badRequest('The multipart body is malformed')))
      parser.on('close', resolve)
      request.pipe(parser)
      onCutOff(request, fail)
    })
    try {
      await parsed
    } finally {
      // Waits until `consume` has cleaned up.
      await Promise.allSettled(consumed)
    }
    if (failure !== null) throw asError(failure)
    const [result] = consumed
    if (!result) throw badRequest('You must specify a file to upload')
    return result
  }
}

function createParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        // One byte more than allowed, to notice files that are too large.
        fileSize: maxFileUploadBytes + 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: MAX_FIELD_BYTES,
      },
    })
  } catch (cause) {
    throw new AppError('BAD_REQUEST', { message: 'A file is uploaded as multipart/form-data', cause })
  }
}

/**
 * Reads and drops the rest of a body, so that a client that is still sending gets to read its error. Resolves when
 * the body has ended, or is longer than any accepted one.
 */
export function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_DRAINED_BYTES) resolve()
    })
    request.on('end', resolve)
    request.on('close', resolve)
    request.resume()
  })
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
