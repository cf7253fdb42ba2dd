/** Encoding of a body's form fields. */
export type FormEncoding = { readonly boundary: string | null }

/** What is known of a form's `method` field after its first bytes. */
export interface MethodField {
  /** Null if there is none yet. Of a repeated field the last value counts. */
  readonly value: string | null
  /** Whether further bytes can't change it, or aren't read because a file has begun. */
  readonly isFinal: boolean
}

const NONE: MethodField = { value: null, isFinal: false }

/** The form encoding of a content type; null if it is no form. */
export function formEncodingOf(contentType: string | undefined): FormEncoding | null {
  if (contentType === undefined) return null
  const [type = ''] = contentType.toLowerCase().split(';')
  if (type.trim() === 'application/x-www-form-urlencoded') return { boundary: null }
  if (type.trim() !== 'multipart/form-data') return null
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? null : { boundary }
}

/** Looks for the field in a body's first bytes; `isWhole` if they are the whole body. */
export function findMethodField(bytes: Buffer, { boundary }: FormEncoding, isWhole: boolean): MethodField {
  if (boundary !== null) return findInParts(bytes.toString('latin1'), boundary, isWhole)
  // Most forms don't contain this text, and needn't be parsed.
  if (!bytes.includes('method')) return NONE
  const pairs = bytes.toString('latin1').split('&')
  if (!isWhole) pairs.pop()
  const found = pairs.findLast((pair) => pair === 'method' || pair.startsWith('method='))
  return found === undefined ? NONE : { value: decode(found.slice('method='.length)), isFinal: false }
}

function findInParts(text: string, boundary: string, isWhole: boolean): MethodField {
  const start = `--${boundary}`
  if (!text.startsWith(start.slice(0, text.length))) return { value: null, isFinal: true }
  const parts = partsOf(text, boundary)
  const fileAt = parts.findIndex(({ isFile }) => isFile)
  const before = fileAt < 0 ? parts.slice(0, isWhole ? undefined : -1) : parts.slice(0, fileAt)
  const found = before.findLast(({ name }) => name === 'method')
  return { value: found?.value ?? null, isFinal: fileAt >= 0 }
}

interface Part {
  readonly name: string | undefined
  readonly value: string
  readonly isFile: boolean
}

/** The last part may be incomplete. */
function partsOf(text: string, boundary: string): Part[] {
  return `\r\n${text}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .map((part) => {
      const headersEnd = part.indexOf('\r\n\r\n')
      const headers = headersEnd < 0 ? '' : part.slice(0, headersEnd)
      const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^;\s]+))/i.exec(headers) ?? []
      return {
        name: quoted ?? plain,
        value: headersEnd < 0 ? '' : part.slice(headersEnd + 4),
        isFile: /;\s*filename\*?=/i.test(headers),
      }
    })
}

/** The fields of a whole body as a query string, without `method`. */
export function queryOfForm(bytes: Buffer, { boundary }: FormEncoding): string {
  const text = bytes.toString('latin1')
  if (boundary !== null) {
    return partsOf(text, boundary)
      .filter(({ name, isFile }) => name !== undefined && name !== 'method' && !isFile)
      .map(({ name = '', value }) => `${escapeBytes(name, /[^\w.~-]/g)}=${escapeBytes(value, /[^\w.~-]/g)}`)
      .join('&')
  }
  const pairs = text.split('&').filter((pair) => pair !== '' && !/^method(=|$)/.test(pair))
  // Characters that clients may leave as they are in a body, but not in a URL.
  return escapeBytes(pairs.join('&'), /[^\x21-\x7e]|#/g)
}

/** `text` has one character per byte. */
function escapeBytes(text: string, which: RegExp): string {
  return text.replace(which, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
