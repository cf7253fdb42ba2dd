import { API_TOKEN_PREFIX, AppError, badRequest } from '@tms/contracts'

/** What identifies a caller: an API key or an API token, with an e-mail unless it is sent without one. */
export interface Credentials {
  readonly email: string | null
  /** The API key or token. */
  readonly secret: string
}

/** Whether credentials are an API token rather than the API key. */
export const isToken = ({ secret }: Credentials): boolean => secret.startsWith(API_TOKEN_PREFIX)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads an Authorization header: Basic, or Bearer with an API token. Throws UNAUTHORIZED if there is none or it can't be
 * decoded, BAD_REQUEST for anything else.
 */
export function parseCredentials(header: string | undefined): Credentials {
  if (header === undefined) throw new AppError('UNAUTHORIZED')
  const [, scheme, encoded = ''] = /^(\S*)\s*(.*)$/.exec(header.trim()) ?? []
  if (scheme?.toLowerCase() === 'bearer' && encoded.startsWith(API_TOKEN_PREFIX))
    return { email: null, secret: encoded }
  if (scheme?.toLowerCase() !== 'basic') {
    throw badRequest('This endpoint requires HTTP basic authentication.')
  }
  const decoded = decodeBase64(encoded)
  const colonAt = decoded.indexOf(':')
  if (colonAt < 0) throw malformed()
  return { email: decoded.slice(0, colonAt).trim(), secret: decoded.slice(colonAt + 1).trim() }
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
