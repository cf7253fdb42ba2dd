import { findNameId, type NameId } from './name-id.ts'
import type { OwnKey } from './own-key.ts'
import {
  attributeOf,
  childrenOf,
  findChild,
  parseMessage,
  SAML,
  textOf,
  timeOf,
  type XmlElement,
} from './xml.ts'

/** How far clocks may differ. */
export const SKEW_MS = 60_000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** For what an assertion may be used. */
interface Confirmation {
  readonly recipient: string | null
  readonly inResponseTo: string | null
  readonly notBefore: number | null
  readonly notOnOrAfter: number | null
}

/** What a provider says of somebody who has signed in. */
export interface Assertion {
  readonly id: string
  readonly issuer: string
  readonly nameId: NameId
  readonly sessionIndex: string | null
  readonly sessionEndsAt: number | null
  readonly confirmations: readonly Confirmation[]
  readonly audiences: readonly (readonly string[])[]
  readonly conditions: { readonly notBefore: number | null; readonly notOnOrAfter: number | null }
  /** Values by the name of the attribute. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

/** Reads an assertion from the XML whose signature was verified. `key` decrypts names. Throws. */
export async function readAssertion(xml: string, key: OwnKey | null): Promise<Assertion> {
  const root = parseMessage(xml)
  if (root.localName !== 'Assertion' || root.namespaceURI !== SAML) throw new Error('it is no assertion')
  const id = attributeOf(root, 'ID') ?? ''
  if (id === '') throw new Error('the assertion has no ID')
  const subject = findChild(root, SAML, 'Subject')
  const nameId = subject && (await findNameId(subject, key))
  if (!subject || !nameId) throw new Error('the assertion is about nobody')
  const [statement] = childrenOf(root, SAML, 'AuthnStatement')
  if (!statement) throw new Error('the assertion says of no sign-in')
  const conditions = findChild(root, SAML, 'Conditions')
  if (!conditions) throw new Error('the assertion has no conditions')
  return {
    id,
    issuer: textOf(findChild(root, SAML, 'Issuer')),
    nameId,
    sessionIndex: attributeOf(statement, 'SessionIndex'),
    sessionEndsAt: timeOf(statement, 'SessionNotOnOrAfter'),
    confirmations: childrenOf(subject, SAML, 'SubjectConfirmation')
      .filter((one) => attributeOf(one, 'Method') === BEARER)
      .flatMap((one) => childrenOf(one, SAML, 'SubjectConfirmationData'))
      .map(readConfirmation),
    audiences: childrenOf(conditions, SAML, 'AudienceRestriction').map((restriction) =>
      childrenOf(restriction, SAML, 'Audience').map(textOf),
    ),
    conditions: periodOf(conditions),
    attributes: readAttributes(root),
  }
}

/** Until when the assertion could be used once more. Throws if it isn't for this use, or not now. */
export function checkAssertion(
  assertion: Assertion,
  expected: {
    readonly issuer: string
    readonly audience: string
    readonly recipient: string
    /** Null: nobody has asked for it. */
    readonly requestId: string | null
  },
  now: number,
): number {
  const { issuer, conditions, audiences, confirmations, sessionEndsAt } = assertion
  if (issuer !== expected.issuer) throw new Error(`the assertion is from ${issuer}`)
  if (audiences.length === 0 || !audiences.every((each) => each.includes(expected.audience)))
    throw new Error(`the assertion is for ${audiences.flat().join(', ') || 'anybody'}`)
  if (!isIn(conditions, now)) throw new Error('the assertion is not for this time')
  if (sessionEndsAt !== null && sessionEndsAt + SKEW_MS <= now)
    throw new Error('the session at the provider is over')
  const usable = confirmations.filter(
    (one) =>
      one.recipient === expected.recipient &&
      one.inResponseTo === expected.requestId &&
      one.notOnOrAfter !== null &&
      isIn(one, now),
  )
  if (usable.length === 0)
    throw new Error(`no confirmation fits: ${JSON.stringify(confirmations).slice(0, 500)}`)
  return Math.max(...usable.map(({ notOnOrAfter }) => notOnOrAfter ?? 0)) + SKEW_MS
}

function isIn(
  { notBefore, notOnOrAfter }: { readonly notBefore: number | null; readonly notOnOrAfter: number | null },
  now: number,
): boolean {
  return (notBefore ?? 0) - SKEW_MS <= now && now < (notOnOrAfter ?? Number.POSITIVE_INFINITY) + SKEW_MS
}

const periodOf = (element: XmlElement): { notBefore: number | null; notOnOrAfter: number | null } => ({
  notBefore: timeOf(element, 'NotBefore'),
  notOnOrAfter: timeOf(element, 'NotOnOrAfter'),
})

const readConfirmation = (data: XmlElement): Confirmation => ({
  recipient: attributeOf(data, 'Recipient'),
  inResponseTo: attributeOf(data, 'InResponseTo'),
  ...periodOf(data),
})

function readAttributes(assertion: XmlElement): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, SAML, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, SAML, 'Attribute')) {
      const name = attributeOf(attribute, 'Name') ?? ''
      const texts = childrenOf(attribute, SAML, 'AttributeValue').map(textOf)
      values.set(name, [...(values.get(name) ?? []), ...texts.filter((text) => text !== '')])
    }
  }
  return values
}
