import { promisify } from 'node:util'
import { decrypt } from 'xml-encryption'
import type { OwnKey } from './own-key.ts'
import { checkAlgorithm } from './saml-algorithms.rules.ts'
import { allIn, attributeOf, findChild, parseMessage, SAML, textOf, type XmlElement } from './xml.ts'

/** A person's name at the provider. */
export interface NameId {
  readonly value: string
  readonly format: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
}

/** The name in the subject of an assertion, or in a request; null without one. It may be encrypted for us. Throws. */
export async function findNameId(parent: XmlElement, key: OwnKey | null): Promise<NameId | null> {
  const plain = findChild(parent, SAML, 'NameID')
  const encrypted = findChild(parent, SAML, 'EncryptedID')
  if (!encrypted) return plain && readNameId(plain)
  if (plain) throw new Error('there is a plain and an encrypted name ID')
  if (!key) throw new Error('the name ID is encrypted, and the settings have no key (saml.private_key)')
  for (const element of allIn(encrypted)) checkAlgorithm(element)
  const name = parseMessage(await promisify(decrypt)(encrypted.toString(), { key: key.privateKey }))
  if (name.localName !== 'NameID' || name.namespaceURI !== SAML)
    throw new Error('what is encrypted is no name ID')
  return readNameId(name)
}

function readNameId(element: XmlElement): NameId {
  const value = textOf(element)
  if (value === '') throw new Error('the name ID is empty')
  return {
    value,
    format: attributeOf(element, 'Format'),
    nameQualifier: attributeOf(element, 'NameQualifier'),
    spNameQualifier: attributeOf(element, 'SPNameQualifier'),
  }
}
