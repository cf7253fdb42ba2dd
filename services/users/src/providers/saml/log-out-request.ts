import { findNameId, type NameId } from './name-id.ts'
import type { OwnKey } from './own-key.ts'
import { issuerOf } from './saml-message.rules.ts'
import { attributeOf, childrenOf, PROTOCOL, textOf, timeOf, type XmlElement } from './xml.ts'

/** How old a request may be, or how far in the future: clocks differ, and browsers take their time. */
export const MAX_LOG_OUT_AGE_MS = 600_000

/** A provider's wish that somebody is logged out. */
export interface LogOutRequest {
  readonly id: string
  readonly nameId: NameId
  /** Those of the sessions that end; none: all of them. */
  readonly sessionIndexes: readonly string[]
}

/** Reads a request whose signature was verified. Throws if it isn't for here and now. */
export async function readLogOut(
  root: XmlElement,
  {
    issuer: expectedIssuer,
    destination: expectedDestination,
    key,
  }: { readonly issuer: string; readonly destination: string; readonly key: OwnKey | null },
  now: number,
): Promise<LogOutRequest> {
  if (root.localName !== 'LogoutRequest' || root.namespaceURI !== PROTOCOL)
    throw new Error('it is no request to log out')
  const issuer = issuerOf(root)
  if (issuer !== expectedIssuer) throw new Error(`the request is from ${issuer ?? 'nobody'}`)
  const destination = attributeOf(root, 'Destination')
  if (destination !== null && destination !== expectedDestination)
    throw new Error(`the request is for ${destination}`)
  const issuedAt = timeOf(root, 'IssueInstant')
  if (issuedAt === null || Math.abs(now - issuedAt) > MAX_LOG_OUT_AGE_MS)
    throw new Error('the request is not of this time')
  const endsAt = timeOf(root, 'NotOnOrAfter')
  if (endsAt !== null && endsAt + MAX_LOG_OUT_AGE_MS < now) throw new Error('the request is too old')
  const id = attributeOf(root, 'ID') ?? ''
  const nameId = await findNameId(root, key)
  if (!nameId || id === '') throw new Error('the request names nobody')
  return { id, nameId, sessionIndexes: childrenOf(root, PROTOCOL, 'SessionIndex').map(textOf) }
}
