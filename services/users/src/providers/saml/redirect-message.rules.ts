import { type KeyObject, verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { type NameId, readNameId } from './saml-assertion.rules.ts'
import { issuerOf } from './saml-message.rules.ts'
import {
  attributeOf,
  childrenOf,
  findChild,
  PROTOCOL,
  parseMessage,
  SAML,
  textOf,
  timeOf,
  type XmlElement,
} from './xml.ts'

const MAX_INFLATED_BYTES = 65_536
/** How old a request may be, or how far in the future: clocks differ, and browsers take their time. */
export const MAX_LOG_OUT_AGE_MS = 600_000
const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
}

/** A provider's wish that somebody is logged out. */
export interface LogOutRequest {
  readonly id: string
  readonly nameId: NameId
  /** Those of the sessions that end; none: all of them. */
  readonly sessionIndexes: readonly string[]
}

/** A message in a URL, unverified. */
interface RedirectMessage {
  readonly root: XmlElement
  readonly issuer: string | null
  readonly relayState: string | undefined
  /** What is signed: the fields as the provider wrote them. */
  readonly signed: string
  readonly signature: Buffer
  readonly hash: string | undefined
}

/** Reads a request in the query of a URL. Throws. */
export function readRedirected(query: string): RedirectMessage {
  const raw = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [name = '', ...rest] = pair.split('=')
    if (raw.has(name)) throw new Error(`there are several of ${name}`)
    raw.set(name, rest.join('='))
  }
  const fieldOf = (name: string) => decodeURIComponent((raw.get(name) ?? '').replaceAll('+', ' '))
  const deflated = Buffer.from(fieldOf('SAMLRequest').replaceAll(' ', '+'), 'base64')
  const root = parseMessage(
    inflateRawSync(deflated, { maxOutputLength: MAX_INFLATED_BYTES }).toString('utf8'),
  )
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].filter((name) => raw.has(name))
  return {
    root,
    issuer: issuerOf(root),
    relayState: raw.has('RelayState') ? fieldOf('RelayState') : undefined,
    signed: signed.map((name) => `${name}=${raw.get(name) ?? ''}`).join('&'),
    signature: Buffer.from(fieldOf('Signature').replaceAll(' ', '+'), 'base64'),
    hash: HASHES[fieldOf('SigAlg')],
  }
}

/** The request of a message that one of the keys has signed. Throws if none has, or if it isn't for here and now. */
export function verifyLogOut(
  { root, issuer, signed, signature, hash }: RedirectMessage,
  keys: readonly KeyObject[],
  expected: { readonly issuer: string; readonly destination: string },
  now: number,
): LogOutRequest {
  if (hash === undefined || signature.length === 0)
    throw new Error('the request has no signature, or a weak one')
  if (!keys.some((key) => verify(hash, Buffer.from(signed), key, signature)))
    throw new Error('the request has a wrong signature')
  if (root.localName !== 'LogoutRequest' || root.namespaceURI !== PROTOCOL)
    throw new Error('it is no request to log out')
  if (issuer !== expected.issuer) throw new Error(`the request is from ${issuer ?? 'nobody'}`)
  const destination = attributeOf(root, 'Destination')
  if (destination !== null && destination !== expected.destination)
    throw new Error(`the request is for ${destination}`)
  const issuedAt = timeOf(root, 'IssueInstant')
  if (issuedAt === null || Math.abs(now - issuedAt) > MAX_LOG_OUT_AGE_MS)
    throw new Error('the request is not of this time')
  const endsAt = timeOf(root, 'NotOnOrAfter')
  if (endsAt !== null && endsAt + MAX_LOG_OUT_AGE_MS < now) throw new Error('the request is too old')
  const nameId = findChild(root, SAML, 'NameID')
  const id = attributeOf(root, 'ID') ?? ''
  if (!nameId || id === '') throw new Error('the request names nobody')
  return {
    id,
    nameId: readNameId(nameId),
    sessionIndexes: childrenOf(root, PROTOCOL, 'SessionIndex').map(textOf),
  }
}
