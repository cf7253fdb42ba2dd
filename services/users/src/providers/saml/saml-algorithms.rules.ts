import { attributeOf, type XmlElement } from './xml.ts'

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

/** Throws if an element names an algorithm that doesn't count. */
export function checkAlgorithm(element: XmlElement): void {
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
