import { checkAlgorithm } from './saml-algorithms.rules.ts'
import {
  allIn,
  attributeOf,
  childrenOf,
  findChild,
  PROTOCOL,
  parseMessage,
  SAML,
  SIGNATURES,
  textOf,
  type XmlElement,
} from './xml.ts'

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

/** The same for a request, whose one signature is its own. Throws. */
export function checkRequestShape(root: XmlElement): void {
  if (root.localName !== 'LogoutRequest') throw new Error('it is no request to log out')
  checkShape(root)
  for (const { localName } of allIn(root))
    if (localName === 'Assertion' || localName === 'EncryptedAssertion')
      throw new Error('the request has an assertion')
  if (!findChild(root, SIGNATURES, 'Signature')) throw new Error('the request has no signature')
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
