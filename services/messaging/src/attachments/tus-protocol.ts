import { AppError, badRequest, maxFileUploadBytes, resumableUploads } from '@tms/contracts'
import { HeadersAnswer } from '@tms/service-kit'

type Headers = Readonly<Record<string, string | undefined>>

const OF_PART = 'application/offset+octet-stream'
const MAX_NAME_LENGTH = 1_000

/** Statuses of the protocol beside those of the API. */
export const TusStatus = {
  created: 201,
  noContent: 204,
  conflict: 409,
  otherVersion: 412,
  otherType: 415,
} as const

/** An answer in the protocol. The gateway adds the version, as it does to errors. */
export function answerTus(
  status: number,
  headers: Readonly<Record<string, string | number>> = {},
  fields: object | null = null,
): HeadersAnswer {
  return new HeadersAnswer(status, headers, fields)
}

/** The refusal of a client that speaks another version; null for this one. */
export function refuseVersion(headers: Headers): HeadersAnswer | null {
  if (headers['tus-resumable'] === resumableUploads.version) return null
  return answerTus(TusStatus.otherVersion, { 'tus-version': resumableUploads.version })
}

/** The refusal of a body that is no part of a file; null for one. */
export function refuseType(headers: Headers): HeadersAnswer | null {
  return headers['content-type'] === OF_PART ? null : answerTus(TusStatus.otherType)
}

/** A file that a client announces. Throws BAD_REQUEST, or REQUEST_TOO_LARGE. */
export function readAnnouncement(headers: Headers): { length: number; name: string; contentType: string } {
  const length = readCount(headers, 'upload-length')
  if (length > maxFileUploadBytes) {
    const message = `The file is larger than ${maxFileUploadBytes} bytes`
    throw new AppError('REQUEST_TOO_LARGE', { message })
  }
  const metadata = readMetadata(headers['upload-metadata'] ?? '')
  return {
    length,
    name: (metadata.get('filename') ?? '').slice(0, MAX_NAME_LENGTH),
    contentType: (metadata.get('filetype') ?? '').slice(0, MAX_NAME_LENGTH).toLowerCase(),
  }
}

/** Throws BAD_REQUEST unless the header is a number of bytes. */
export function readCount(headers: Headers, name: 'upload-length' | 'upload-offset'): number {
  const value = headers[name] ?? ''
  if (!/^\d{1,15}$/.test(value)) throw badRequest(`The header ${name} must be a number of bytes`)
  return Number(value)
}

/** Pairs of a name and a text in Base64, separated by commas. */
function readMetadata(header: string): Map<string, string> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '))
  return new Map(pairs.map(([name = '', text = '']) => [name, Buffer.from(text, 'base64').toString()]))
}
