import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

interface FileSource {
  readonly contentType: string
  /** Value of Content-Disposition. */
  readonly disposition: string
  /** Bytes; null if that isn't known before they are read: then the file is answered as a whole. */
  readonly size: number | null
  /** Identifies the content: two files with the same tag are equal, byte by byte. Null for a secret, which nobody may keep. */
  readonly tag: string | null
  /** Any cache may keep it forever; if absent, each use is checked again. */
  readonly isForEveryone?: boolean
  /** Opens the bytes of the range. Rejects if the file is missing. */
  readonly open: (range: ByteRange) => Promise<Readable>
}

/** A success that is a file instead of an envelope. */
export class FileAnswer {
  readonly source: FileSource
  constructor(source: FileSource) {
    this.source = source
  }
}

/** Files come from users: nothing in one may run, and no browser may guess its type. */
const SAFETY = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; object-src 'self'",
} as const

/**
 * Answers a file, whole or in part (RFC 9110, 13 and 14): conditions on its tag, and one range; several ranges are
 * answered with the whole, as the RFC allows. Rejects before answering if the file can't be opened.
 */
export async function replyFile(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, disposition, size, tag, isForEveryone = false, open }: FileSource,
): Promise<void> {
  const etag = tag === null ? null : `"${tag}"`
  const common =
    etag === null
      ? { ...SAFETY, 'cache-control': 'no-store' }
      : {
          ...SAFETY,
          etag,
          'accept-ranges': 'bytes',
          'cache-control': isForEveryone ? 'public, max-age=31536000, immutable' : 'private, no-cache',
        }
  if (etag !== null && hasAlready(request, etag)) {
    response.writeHead(304, common).end()
    return
  }
  const part = etag === null || size === null ? null : rangeOf(request, size, etag)
  if (size === null) {
    const stream = request.method === 'HEAD' ? null : await open({ start: 0, end: Number.MAX_SAFE_INTEGER })
    response.writeHead(200, { 'content-type': contentType, 'content-disposition': disposition, ...common })
    if (stream) await pipeline(stream, response)
    else response.end()
    return
  }
  if (part === 'unsatisfiable') {
    response.writeHead(416, { ...common, 'content-range': `bytes */${size}`, 'content-length': 0 }).end()
    return
  }
  const range = part ?? { start: 0, end: size - 1 }
  const headers = {
    ...common,
    'content-type': contentType,
    'content-disposition': disposition,
    'content-length': range.end - range.start + 1,
    ...(part ? { 'content-range': `bytes ${part.start}-${part.end}/${size}` } : {}),
  }
  const status = part ? 206 : 200
  if (request.method === 'HEAD' || size === 0) {
    response.writeHead(status, headers).end()
    return
  }
  const stream = await open(range)
  response.writeHead(status, headers)
  await pipeline(stream, response)
}

/** Whether the client says that it has the file with this tag. */
function hasAlready({ headers }: IncomingMessage, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',') ?? []
  return tags.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** Numbers of the first and the last byte, one of which may be left out. */
const ONE_RANGE = /^bytes=\s*(\d*)-(\d*)\s*$/i

/** The requested part; null for the whole file, also if the range makes no sense (RFC 9110, 14.1 and 14.2). */
function rangeOf(request: IncomingMessage, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const { range: header, 'if-range': condition } = request.headers
  if (header === undefined || request.method !== 'GET') return null
  if (condition !== undefined && condition !== etag) return null
  const [, first, last] = ONE_RANGE.exec(header) ?? []
  if (first === undefined || last === undefined || first + last === '') return null
  // The last bytes; of a smaller file, all of it.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return null
  return start < size ? { start, end } : 'unsatisfiable'
}
