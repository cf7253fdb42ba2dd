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

/** A file while it comes in. Its end is an error when the file turns out too large, or the client left. */
export interface IncomingFile {
  /** As the client calls it, without folders; may be empty, and anything else. */
  readonly name: string
  /** As the client says, in lower case. */
  readonly contentType: string
  readonly stream: Readable
}

/**
 * Reads the body's one file: `consume` gets it once it begins, and must read its stream to the end or destroy it.
 * Resolves with what that returned once the body has ended well. Rejects with BAD_REQUEST or FILE_TOO_LARGE,
 * even if `consume` was done already: what comes after the file may be wrong.
 */
export type ReceiveFile = <T>(consume: (file: IncomingFile) => Promise<T>) => Promise<T>

/** Nothing that such an endpoint knows needs more; each costs memory until the body has ended. */
const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 1_000
/** What a client may send in vain; more than that and the connection ends. */
const MAX_DRAINED_BYTES = maxBodyBytesOf({ body: 'file', maxFileMib: limits.maxFileUploadMib })

/** How `request` is read; form fields beside the file are added to `fields`. */
export function fileReceiver(request: IncomingMessage, fields: Fields): ReceiveFile {
  return async <T>(consume: (file: IncomingFile) => Promise<T>): Promise<T> => {
    const parser = createParser(request)
    const consumed: Promise<T>[] = []
    let failure: unknown = null
    const parsed = new Promise<void>((resolve, reject) => {
      const fail = (error: unknown) => {
        failure ??= error
        request.unpipe(parser)
        // Ends the file's stream with an error too, so that nobody takes it for complete.
        parser.destroy(asError(failure))
        reject(asError(failure))
      }
      /** For what the parser says in the middle of a part: it doesn't bear to be destroyed there. */
      const failSoon = (error: AppError) => {
        failure ??= error
        process.nextTick(fail, error)
      }
      parser.on('file', (_field, stream, { filename, mimeType }) => {
        // Whoever reads the stream hears of its errors as well.
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
      // Not before it has put away what it had begun.
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
        // One byte more than allowed tells a file that fits from one that is cut.
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
 * Reads what is left of a body and drops it, so that a client that is still sending gets to read its refusal.
 * Resolves when the body has ended, or is longer than any that is taken.
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
