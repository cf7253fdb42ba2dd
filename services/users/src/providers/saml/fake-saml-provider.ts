import { spawnSync } from 'node:child_process'
import { createPublicKey, createSign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { encrypt } from 'xml-encryption'

export const ENTITY_ID = 'https://id.example.com/saml'
export const SITE = 'https://chat.example.com'
export const ANSWER_URL = `${SITE}/complete/saml/`
export const REQUEST_ID = '_nonce'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const NAMESPACES =
  'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"'

export interface KeyPair {
  readonly privateKey: string
  readonly certificate: string
}

/** A key with a certificate that it signed itself, by openssl. */
export function createKeyPair(): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'tms-saml-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test']
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', ...options, '-keyout', key, '-out', certificate],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const pair = { privateKey: readFileSync(key, 'utf8'), certificate: readFileSync(certificate, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}

export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString()
let ids = 0

/** What an assertion says; each part may be a lie. Texts are XML. */
export function assertionOf({
  id = `_assertion${++ids}`,
  issuer = ENTITY_ID,
  nameId = '<saml:NameID>ada</saml:NameID>',
  recipient = ` Recipient="${ANSWER_URL}"`,
  inResponseTo = ` InResponseTo="${REQUEST_ID}"`,
  until = ` NotOnOrAfter="${inSeconds(300)}"`,
  conditions = ` NotBefore="${inSeconds(-5)}" NotOnOrAfter="${inSeconds(300)}"`,
  audience = `<saml:AudienceRestriction><saml:Audience>${SITE}</saml:Audience></saml:AudienceRestriction>`,
  method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  session = ' SessionIndex="session-1"',
  attributes = attributeOf('email', 'ada@example.com'),
} = {}): string {
  return `<saml:Assertion ${NAMESPACES} ID="${id}" Version="2.0" IssueInstant="${inSeconds(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject>${nameId}<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData${recipient}${inResponseTo}${until}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions${conditions}>${audience}</saml:Conditions><saml:AuthnStatement AuthnInstant="${inSeconds(0)}"${session}/><saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion>`
}

export const attributeOf = (name: string, ...values: readonly string[]): string =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`

export function responseOf(
  content: string,
  {
    issuer = `<saml:Issuer>${ENTITY_ID}</saml:Issuer>`,
    destination = ` Destination="${ANSWER_URL}"`,
    inResponseTo = ` InResponseTo="${REQUEST_ID}"`,
    status = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>',
  } = {},
): string {
  return `<samlp:Response ${NAMESPACES} ID="_response${++ids}" Version="2.0" IssueInstant="${inSeconds(0)}"${destination}${inResponseTo}>${issuer}<samlp:Status>${status}</samlp:Status>${content}</samlp:Response>`
}

export interface SigningLies {
  readonly signature?: string
  readonly digest?: string
  /** The secret is the certificate that everybody has. */
  readonly isHmac?: boolean
}

/** The XML with its one element of the name signed. */
export function signed(
  xml: string,
  element: 'Assertion' | 'Response' | 'LogoutRequest',
  { privateKey, certificate }: KeyPair,
  { signature = RSA_SHA256, digest = SHA256, isHmac = false }: SigningLies = {},
): string {
  const signing = new SignedXml({
    privateKey: isHmac ? certificate : privateKey,
    publicCert: certificate,
    signatureAlgorithm: isHmac ? 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' : signature,
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  if (isHmac) signing.enableHMAC()
  const xpath = `//*[local-name(.)='${element}']`
  signing.addReference({
    xpath,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
    digestAlgorithm: digest,
  })
  signing.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signing.getSignedXml()
}

interface EncryptionLies {
  readonly content?: string
  readonly key?: string
}

export async function encrypted(
  assertion: string,
  pair: KeyPair,
  lies: EncryptionLies = {},
): Promise<string> {
  return `<saml:EncryptedAssertion ${NAMESPACES}>${await encryptedData(assertion, pair, lies)}</saml:EncryptedAssertion>`
}

/** A name that only the owner of the key reads; XML of its own, so it repeats its namespace. */
export async function encryptedId(
  pair: KeyPair,
  { xml = `<saml:NameID ${NAMESPACES}>ada</saml:NameID>`, ...lies }: EncryptionLies & { xml?: string } = {},
): Promise<string> {
  return `<saml:EncryptedID>${await encryptedData(xml, pair, lies)}</saml:EncryptedID>`
}

async function encryptedData(
  xml: string,
  { certificate }: KeyPair,
  {
    content = 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    key = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  }: EncryptionLies,
): Promise<string> {
  return promisify(encrypt)(xml, {
    rsa_pub: createPublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString(),
    pem: certificate,
    encryptionAlgorithm: content,
    keyEncryptionAlgorithm: key,
    warnInsecureAlgorithm: false,
  })
}

export const posted = (xml: string): string => Buffer.from(xml).toString('base64')

interface LogOutLies {
  readonly id?: string
  readonly issuer?: string
  readonly nameId?: string
  /** In place of the name. */
  readonly encryptedId?: string
  readonly destination?: string
  readonly sessions?: string
  readonly issuedAt?: string
  readonly name?: string
}

/** A request to log somebody out. */
export function logOutRequestOf({
  id = `_logout${++ids}`,
  issuer = ENTITY_ID,
  nameId = 'ada',
  encryptedId: encryptedName,
  destination = ` Destination="${ANSWER_URL}"`,
  sessions = '',
  issuedAt = inSeconds(0),
  name = 'LogoutRequest',
}: LogOutLies = {}): string {
  return `<samlp:${name} ${NAMESPACES} ID="${id}" Version="2.0" IssueInstant="${issuedAt}"${destination}><saml:Issuer>${issuer}</saml:Issuer>${encryptedName ?? `<saml:NameID>${nameId}</saml:NameID>`}${sessions}</samlp:${name}>`
}

/** The same as the query of a URL. */
export function logOutQuery(
  { privateKey }: Pick<KeyPair, 'privateKey'>,
  {
    algorithm = RSA_SHA256,
    hash = 'sha256',
    relayState = 'back here',
    encode = (text: string) => encodeURIComponent(text),
    ...lies
  }: LogOutLies & {
    algorithm?: string
    hash?: string
    relayState?: string
    encode?: (text: string) => string
  } = {},
): string {
  const query = [
    ['SAMLRequest', deflateRawSync(logOutRequestOf(lies)).toString('base64')],
    ['RelayState', relayState],
    ['SigAlg', algorithm],
  ]
    .map(([key, value = '']) => `${key}=${encode(value)}`)
    .join('&')
  const signature = createSign(hash).update(query).sign(privateKey, 'base64')
  return `${query}&Signature=${encode(signature)}`
}
