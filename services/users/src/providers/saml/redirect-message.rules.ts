import { type KeyObject, verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { issuerOf } from './saml-message.rules.ts'
import { parseMessage, type XmlElement } from './xml.ts'

const MAX_INFLATED_BYTES = 65_536
const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
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

/** Throws if none of the keys has signed the message. */
export function checkRedirected(
  { signed, signature, hash }: RedirectMessage,
  keys: readonly KeyObject[],
): void {
  if (hash === undefined || signature.length === 0)
    throw new Error('the request has no signature, or a weak one')
  if (!keys.some((key) => verify(hash, Buffer.from(signed), key, signature)))
    throw new Error('the request has a wrong signature')
}
