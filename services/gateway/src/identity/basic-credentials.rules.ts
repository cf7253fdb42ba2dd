import { AppError, badRequest } from '@tms/contracts'

/** What identifies a caller: an API key, and the e-mail unless the endpoint needs none. */
export interface Credentials {
  readonly email: string | null
  readonly apiKey: string
}

/** Credentials of HTTP Basic (API document, "Authentication"). */
export interface BasicCredentials extends Credentials {
  readonly email: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads an Authorization header. Throws UNAUTHORIZED if there is none or it can't be decoded, BAD_REQUEST for another
 * scheme than Basic.
 */
export function parseBasicCredentials(header: string | undefined): BasicCredentials {
  if (header === undefined) throw new AppError('UNAUTHORIZED')
  const [, scheme, encoded = ''] = /^(\S*)\s*(.*)$/.exec(header.trim()) ?? []
  if (scheme?.toLowerCase() !== 'basic') {
    throw badRequest('This endpoint requires HTTP basic authentication.')
  }
  const decoded = decodeBase64(encoded)
  const colonAt = decoded.indexOf(':')
  if (colonAt < 0) throw malformed()
  return { email: decoded.slice(0, colonAt).trim(), apiKey: decoded.slice(colonAt + 1).trim() }
}

function decodeBase64(encoded: string): string {
  if (!/^[A-Za-z0-9+/]+=*$/.test(encoded)) throw malformed()
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'))
  } catch {
    throw malformed()
  }
}

function malformed(): AppError {
  return new AppError('UNAUTHORIZED', { message: 'Invalid authorization header for basic auth' })
}
