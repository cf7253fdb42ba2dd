import {
  allIn,
  attributeOf,
  childrenOf,
  findChild,
  PROTOCOL,
  parseMessage,
  SAML,
  textOf,
  type XmlElement,
} from './xml.ts'

const C14N = ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315']
const HASHES = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]
/**
 * What algorithms an element may name, by its local name. SHA-1 is broken, HMAC would take a public key for a secret,
 * and PKCS #1 v1.5 decrypts for everybody who can ask often enough.
 */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ],
  DigestMethod: HASHES,
  CanonicalizationMethod: C14N,
  Transform: [...C14N, 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'],
}
const KEY_ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'
const ENCRYPTION = [
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
]
/** Status codes of people who gave up, or may not enter. */
const CANCELLED = ['AuthnFailed', 'RequestDenied'].map((name) => `urn:oasis:names:tc:SAML:2.0:status:${name}`)
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** Decodes and parses what a form brings. Nothing of it is verified. Throws. */
export function readPosted(base64: string): XmlElement {
  const root = parseMessage(Buffer.from(base64, 'base64').toString('utf8'))
  if (root.namespaceURI !== PROTOCOL) throw new Error('it is no message of SAML')
  return root
}

/** Who says to have written a message; null if it doesn't. */
export function issuerOf(message: XmlElement): string | null {
  const assertion = childrenOf(message, SAML, 'Assertion')[0]
  const issuer =
    findChild(message, SAML, 'Issuer') ?? (assertion ? findChild(assertion, SAML, 'Issuer') : null)
  return textOf(issuer) || null
}

/** Refuses what no answer needs and attacks are made of: parts beside the one assertion, and weak algorithms. Throws. */
export function checkShape(root: XmlElement): void {
  const assertions: XmlElement[] = []
  const signed = new Set<unknown>()
  const ids = new Set<string>()
  for (const element of allIn(root)) {
    const { localName } = element
    if (localName === 'Assertion' || localName === 'EncryptedAssertion') assertions.push(element)
    if (localName === 'Signature') {
      const { parentNode } = element
      if (signed.has(parentNode)) throw new Error('an element has two signatures')
      if (parentNode !== root && !assertions.some((one) => one === parentNode))
        throw new Error('there is a signature where none may be')
      signed.add(parentNode)
    }
    checkAlgorithm(element)
    const id = attributeOf(element, 'ID')
    if (id !== null && ids.has(id)) throw new Error('two elements have one ID')
    if (id !== null) ids.add(id)
  }
  const [assertion, ...others] = assertions
  if (others.length > 0) throw new Error('there is more than one assertion')
  if (assertion && assertion !== root && assertion.parentNode !== root)
    throw new Error('the assertion is hidden in something else')
  if (assertion && assertion.namespaceURI !== SAML) throw new Error('the assertion is none of SAML')
}

/** What of the answer itself must fit, beside the assertion; null if it reports a success. Throws. */
export function checkResponse(
  response: XmlElement,
  expected: { readonly issuer: string; readonly destination: string; readonly requestId: string | null },
): { readonly cancelled: boolean; readonly status: string } | null {
  if (response.localName !== 'Response') throw new Error('it is no answer')
  const issuer = issuerOf(response)
  if (issuer !== expected.issuer) throw new Error(`the answer is from ${issuer ?? 'nobody'}`)
  const destination = attributeOf(response, 'Destination')
  if (destination !== null && destination !== '' && destination !== expected.destination)
    throw new Error(`the answer is for ${destination}`)
  const inResponseTo = attributeOf(response, 'InResponseTo')
  if (inResponseTo !== null && inResponseTo !== expected.requestId)
    throw new Error('the answer is to another request')
  const statuses: string[] = []
  for (const element of allIn(response))
    if (element.localName === 'StatusCode') statuses.push(attributeOf(element, 'Value') ?? '')
  if (statuses[0] === SUCCESS) return null
  return { cancelled: statuses.some((one) => CANCELLED.includes(one)), status: statuses.join(' ') }
}

function checkAlgorithm(element: XmlElement): void {
  const allowed = allowedFor(element)
  const algorithm = attributeOf(element, 'Algorithm') ?? ''
  if (allowed && !allowed.includes(algorithm)) throw new Error(`${element.localName} is ${algorithm}`)
}

function allowedFor({ localName, parentNode }: XmlElement): readonly string[] | null {
  const parent = (parentNode as XmlElement | null)?.localName
  if (localName === 'EncryptionMethod') return parent === 'EncryptedKey' ? [KEY_ENCRYPTION] : ENCRYPTION
  // Of the padding, where SHA-1 does no harm.
  if (localName === 'DigestMethod' && parent === 'EncryptionMethod') return null
  return ALGORITHMS[localName] ?? null
}
