import {
  allIn,
  attributeOf,
  childrenOf,
  METADATA,
  parseFile,
  SIGNATURES,
  textOf,
  type XmlElement,
} from './xml.ts'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** What a provider says about itself. */
export interface ProviderMetadata {
  readonly entityId: string
  readonly ssoUrl: string | null
  readonly sloUrl: string | null
  /** Base64. */
  readonly certificates: readonly string[]
}

/** Reads the metadata of the provider that has the entity ID, or of the only one. Throws with what is missing. */
export function readMetadata(xml: string, entityId: string | undefined): ProviderMetadata {
  const found = [...allIn(parseFile(xml))]
    .filter((one) => one.localName === 'EntityDescriptor' && one.namespaceURI === METADATA)
    .flatMap((entity) => {
      const [descriptor] = childrenOf(entity, METADATA, 'IDPSSODescriptor')
      const id = attributeOf(entity, 'entityID') ?? ''
      return descriptor && (entityId === undefined || entityId === id) ? [{ id, descriptor }] : []
    })
  const [one, ...others] = found
  if (!one) throw new Error(`describe no provider${entityId === undefined ? '' : ` ${entityId}`}`)
  if (others.length > 0) throw new Error('describe several providers: name the one by entity_id')
  const { id, descriptor } = one
  return {
    entityId: id,
    ssoUrl: locationOf(descriptor, 'SingleSignOnService'),
    sloUrl: locationOf(descriptor, 'SingleLogoutService'),
    certificates: childrenOf(descriptor, METADATA, 'KeyDescriptor')
      .filter((key) => attributeOf(key, 'use') !== 'encryption')
      .flatMap((key) => [...allIn(key)])
      .filter((each) => each.localName === 'X509Certificate' && each.namespaceURI === SIGNATURES)
      .map(textOf),
  }
}

const locationOf = (descriptor: XmlElement, service: string): string | null => {
  const found = childrenOf(descriptor, METADATA, service).find(
    (one) => attributeOf(one, 'Binding') === REDIRECT,
  )
  return found ? attributeOf(found, 'Location') : null
}
