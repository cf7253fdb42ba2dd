import { hash } from 'node:crypto'
import { subdomainOf } from '@tms/service-kit'
import type { IdentityRequest } from '../requests/identity-request.ts'
import { type Credentials, parseCredentials } from './credentials.rules.ts'

/** Longer headers and hosts aren't remembered: a connection costs its client nothing, and a header may have 256 KB. */
const MAX_REMEMBERED_LENGTH = 512

/** What a connection sent last, and the key of that. */
interface LastKey {
  readonly authorization: string
  readonly host: string
  readonly key: string
}

/**
 * The keys by which identities are remembered: hashes of the host's organization and the credentials.
 *
 * A client sends the same header with each request, and decoding and hashing it took some 6 % of the gateway's time for a poll. So the
 * last header is remembered with its connection, for no longer than that is open. It is compared with each further one, since
 * a proxy sends requests of many clients over one connection.
 */
export class IdentityKeys {
  readonly #externalHost: string
  readonly #lastKeys = new WeakMap<object, LastKey>()

  /** `externalHost` is the host whose subdomains are organizations. */
  constructor(externalHost: string) {
    this.#externalHost = externalHost
  }

  /** Throws UNAUTHORIZED or BAD_REQUEST for a header that can't be read. */
  of(request: IdentityRequest): string {
    const { authorization, host, connection, secret } = request
    if (secret !== undefined || authorization === undefined) return this.#make(request)
    const last = this.#lastKeys.get(connection)
    if (last && last.authorization === authorization && last.host === host) return last.key
    const key = this.#make(request)
    if (authorization.length + host.length <= MAX_REMEMBERED_LENGTH)
      this.#lastKeys.set(connection, { authorization, host, key })
    return key
  }

  #make(request: IdentityRequest): string {
    return keyOf(credentialsOf(request), subdomainOf(request.host, this.#externalHost))
  }
}

/** Throws UNAUTHORIZED or BAD_REQUEST for a header that can't be read. */
export const credentialsOf = ({ authorization, secret }: IdentityRequest): Credentials =>
  secret === undefined ? parseCredentials(authorization) : { email: null, secret }

/**
 * One key for all spellings that users treats as equal: otherwise each would be looked up separately, and evict
 * somebody else's entry. An e-mail address has no colon here and begins with no line break, as a subdomain has none.
 */
function keyOf({ email, secret }: Credentials, subdomain: string): string {
  const name = email === null ? '\n' : `${email.toLowerCase()}:`
  return hash('sha256', `${subdomain}\n${name}${secret}`, 'base64')
}
