import type { IncomingMessage } from 'node:http'
import {
  type AppError,
  badRequest,
  fileTooLarge,
  limits,
  maxBodyBytesOf,
  maxPictureBytes,
} from '@tms/contracts'
import busboy from 'busboy'
import { trackBodyBytes } from './buffered-bytes.ts'
import { onCutOff } from './cut-off.ts'
import type { Fields } from './form.ts'
import { bodyTooLarge, tooLargeFor } from './too-large.ts'

/** More than any endpoint has; each costs more than its bytes. */
const MAX_FIELDS = 1_000
const PLAIN_FORM = { body: 'fields', maxFileMib: 0 } as const
const PICTURE_FORM = { body: 'fields-and-picture', maxFileMib: limits.maxPictureMib } as const

/**
 * Reads the fields of a multipart body into `fields`, and its one picture into memory if the endpoint takes one: null
 * if there is none, as in a form without a chosen file. Other files are skipped. Throws BAD_REQUEST, FILE_TOO_LARGE
 * or REQUEST_TOO_LARGE.
 */
export function readMultipart(
  request: IncomingMessage,
  fields: Fields,
  { takesPicture }: { takesPicture: boolean },
): Promise<Buffer | null> {
  const form = takesPicture ? PICTURE_FORM : PLAIN_FORM
  const maxBytes = maxBodyBytesOf(form)
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy
    try {
      parser = busboy({
        headers: request.headers,
        limits: { fieldSize: limits.maxRequestBodyBytes, fields: MAX_FIELDS },
      })
    } catch {
      reject(badRequest('The multipart body has no boundary'))
      return
    }
    let bytes = 0
    /** Chunks of the files; null once the body is refused. */
    let files: Buffer[][] | null = []
    let picture: Buffer | null = null
    // The rest of a refused body is read and dropped, so that the client gets to read the error.
    const refuse = (error: AppError) => {
      for (const chunks of files ?? []) chunks.length = 0
      files = picture = null
      tracker.release()
      reject(error)
    }
    const tracker = trackBodyBytes(refuse)
    request.on('data', (chunk: Buffer) => {
      if (files === null) return
      bytes += chunk.length
      if (bytes > maxBytes) return refuse(tooLargeFor(form))
      tracker.add(chunk.length)
    })
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated) refuse(bodyTooLarge(limits.maxRequestBodyBytes))
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => refuse(badRequest(`A request has at most ${MAX_FIELDS} fields`)))
    parser.on('file', (_name, file, { filename }) => {
      if (!takesPicture || files === null) return void file.resume()
      const chunks: Buffer[] = []
      files.push(chunks)
      let size = 0
      file.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (files !== null && size <= maxPictureBytes) chunks.push(chunk)
      })
      // A file that breaks off is an error of the whole body.
      file.on('error', () => {})
      file.on('end', () => {
        if (size > maxPictureBytes) return refuse(fileTooLarge(limits.maxPictureMib))
        if (size === 0 && !filename) return
        if (picture !== null) return refuse(badRequest('You may only upload one file at a time'))
        picture = Buffer.concat(chunks)
      })
    })
    parser.on('error', () => refuse(badRequest('The multipart body is malformed')))
    parser.on('close', () => {
      tracker.release()
      resolve(picture)
    })
    onCutOff(request, refuse)
    request.pipe(parser)
  })
}
