import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { badRequest, limits, maxBodyBytesOf, maxPictureBytes } from '@tms/contracts'
import busboy from 'busboy'
import { onCutOff } from './cut-off.ts'
import type { Fields } from './form.ts'
import { bodyTooLarge } from './too-large.ts'

/** More than any endpoint has; each costs more than its bytes. */
const MAX_FIELDS = 1_000

/**
 * Reads the fields of a multipart body into `fields`, and its one picture into memory where one is taken: null when
 * there's none, as of a form in which nobody chose a file. Other files are passed over. Throws BAD_REQUEST or
 * REQUEST_TOO_LARGE.
 */
export function readMultipart(
  request: IncomingMessage,
  fields: Fields,
  { takesPicture }: { takesPicture: boolean },
): Promise<Buffer | null> {
  const maxBytes = maxBodyBytesOf({ body: takesPicture ? 'fields-and-picture' : 'fields' })
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
    let picture: Buffer | null = null
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) reject(bodyTooLarge(maxBytes))
    })
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated) reject(bodyTooLarge(limits.maxRequestBodyBytes))
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => reject(badRequest(`A request has at most ${MAX_FIELDS} fields`)))
    parser.on('file', (_name, file, { filename }) => {
      if (!takesPicture) return void file.resume()
      collect(file, (content, isTooLarge) => {
        if (isTooLarge) reject(badRequest(`The file is larger than ${limits.maxPictureMib} MiB`))
        if (content.length === 0 && !filename) return
        if (picture !== null) reject(badRequest('You may only upload one file at a time'))
        picture = content
      })
    })
    parser.on('error', () => reject(badRequest('The multipart body is malformed')))
    parser.on('close', () => resolve(picture))
    onCutOff(request, reject)
    request.pipe(parser)
  })
}

/** Reads a file to its end, and keeps as much of it as a picture may have. */
function collect(file: Readable, done: (content: Buffer, isTooLarge: boolean) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  file.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxPictureBytes) chunks.push(chunk)
  })
  // What breaks off is an error of the whole body.
  file.on('error', () => {})
  file.on('end', () => done(Buffer.concat(chunks), bytes > maxPictureBytes))
}
