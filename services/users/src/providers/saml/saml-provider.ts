import type { X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type CacheProvider,
  SAML as Protocol,
  type SamlConfig,
  ValidateInResponseTo,
} from '@node-saml/node-saml'
import { decrypt } from 'xml-encryption'
import { readSecret } from '../../kernel/sign-on/read-secret.ts'
import type { Verification } from '../provider.ts'
import { MAX_LOG_OUT_AGE_MS, readLogOut } from './log-out-request.ts'
import { readCertificate } from './own-key.ts'
import { readMetadata } from './provider-metadata.rules.ts'
import { checkRedirected, readRedirected } from './redirect-message.rules.ts'
import { checkAssertion, readAssertion, SKEW_MS } from './saml-assertion.rules.ts'
import { checkRequestShape, checkResponse, checkShape, issuerOf, readPosted } from './saml-message.rules.ts'
import { personKeyOf, personOf, type SamlSettings } from './saml-person.rules.ts'
import type { LogOut, SamlProvider } from './saml-providers.ts'
import type { SamlSite } from './saml-site.ts'
import { childrenOf, parseMessage, SAML, type XmlElement } from './xml.ts'

/** The library's own check of requests has nothing to remember here: a sign-in in Redis has the request's ID. */
const NO_CACHE: CacheProvider = {
  saveAsync: () => Promise.resolve(null),
  getAsync: () => Promise.resolve(null),
  removeAsync: () => Promise.resolve(null),
}
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

/** What a provider's settings and metadata say together. */
interface Peer {
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | null
  readonly certificates: readonly X509Certificate[]
}

/** A provider of SAML 2.0. Throws if its metadata or certificates can't be used. */
export function createSamlProvider(
  settings: SamlSettings,
  key: (name: string) => string,
  site: SamlSite,
): SamlProvider {
  const peer = readPeer(settings, key)
  const { entityId, certificates } = peer
  const optionsFor = (id: string | undefined): SamlConfig => ({
    issuer: site.entityId,
    audience: site.entityId,
    callbackUrl: site.answerUrl,
    entryPoint: peer.ssoUrl,
    logoutUrl: peer.sloUrl ?? peer.ssoUrl,
    idpCert: certificates.map(String),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    // One of both has to be signed; which of them is the provider's choice.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    disableRequestedAuthnContext: true,
    identifierFormat: settings.name_id_format ?? null,
    validateInResponseTo: ValidateInResponseTo.never,
    cacheProvider: NO_CACHE,
    ...(id !== undefined && { generateUniqueId: () => id }),
    ...(site.key && {
      privateKey: site.key.privateKey,
      publicCert: site.key.certificate,
      decryptionPvk: site.key.privateKey,
    }),
  })
  const library = (id?: string) => new Protocol(optionsFor(id))

  /** What an answer proves; until when it has to be remembered. */
  const read = async (
    text: string,
    requestId: string | null,
  ): Promise<{ verification: Verification; claim?: { id: string; seconds: number } }> => {
    try {
      const response = readPosted(text)
      checkShape(response)
      const failure = checkResponse(response, { issuer: entityId, destination: site.answerUrl, requestId })
      if (failure?.cancelled) return { verification: { kind: 'cancelled' } }
      if (failure) throw new Error(`the provider says ${failure.status}`)
      await checkEncrypted(response, site)
      const { profile } = await library().validatePostResponseAsync({ SAMLResponse: text })
      const assertion = await readAssertion(profile?.getAssertionXml?.() ?? '', site.key)
      const now = site.now().getTime()
      const expected = { issuer: entityId, audience: site.entityId, recipient: site.answerUrl, requestId }
      const until = checkAssertion(assertion, expected, now)
      return {
        verification: { kind: 'proven', person: personOf(assertion, entityId, settings) },
        claim: { id: assertion.id, seconds: Math.ceil((until - now) / 1_000) },
      }
    } catch (cause) {
      return { verification: { kind: 'wrong', cause } }
    }
  }
  const verify = async (text: string | undefined, requestId: string | null): Promise<Verification> => {
    const { verification, claim } = await read(text ?? '', requestId)
    if (claim && !(await site.claim(`assertion ${claim.id} of ${entityId}`, claim.seconds)))
      return { kind: 'wrong', cause: new Error('the assertion was used before') }
    return verification
  }

  /** Of a request whose signature was verified. */
  const takeLogOut = async (root: XmlElement, relayState = ''): Promise<LogOut> => {
    const expected = { issuer: entityId, destination: site.answerUrl, key: site.key }
    const request = await readLogOut(root, expected, site.now().getTime())
    if (!(await site.claim(`log-out ${request.id} of ${entityId}`, (2 * MAX_LOG_OUT_AGE_MS) / 1_000)))
      throw new Error('the request was used before')
    const { sessionIndexes } = request
    const answer = { issuer: site.entityId, nameID: '', nameIDFormat: UNSPECIFIED, ID: request.id }
    const answerUrl = peer.sloUrl
      ? new URL(await library().getLogoutResponseUrlAsync(answer, relayState, {}, true))
      : null
    return { person: personKeyOf(entityId, request.nameId), sessionIndexes, answerUrl }
  }

  return {
    settings,
    entityId,
    about: {
      ...{ ssoUrl: peer.ssoUrl, sloUrl: peer.sloUrl },
      certificates: certificates.map(({ subject, validToDate: validTo }) => ({ subject, validTo })),
    },
    answersByForm: true,
    findSignInUrl: async ({ state, nonce }) =>
      new URL(await library(requestIdOf(nonce)).getAuthorizeUrlAsync(state, undefined, {})),
    verify: ({ nonce }, { SAMLResponse }) => verify(SAMLResponse, requestIdOf(nonce)),
    verifyUnasked: ({ SAMLResponse }) => verify(SAMLResponse, null),
    verifyLogOut: async (query) => {
      const message = readRedirected(query)
      checkRedirected(
        message,
        certificates.map(({ publicKey }) => publicKey),
      )
      return takeLogOut(message.root, message.relayState)
    },
    verifyPostedLogOut: async ({ SAMLRequest = '', RelayState }) => {
      const root = readPosted(SAMLRequest)
      checkRequestShape(root)
      await library().validatePostRequestAsync({ SAMLRequest })
      return takeLogOut(root, RelayState)
    },
    findLogOutUrl: async (session, relayState) => {
      const { name_id: nameID, name_id_format: format } = session
      if (!peer.sloUrl || !settings.single_log_out || nameID === undefined) return null
      const { session_index: sessionIndex, name_qualifier: nameQualifier } = session
      const { sp_name_qualifier: spNameQualifier } = session
      const user = {
        ...{ issuer: site.entityId, nameID, nameIDFormat: format ?? UNSPECIFIED },
        ...(sessionIndex !== undefined && { sessionIndex }),
        ...(nameQualifier !== undefined && { nameQualifier }),
        ...(spNameQualifier !== undefined && { spNameQualifier }),
      }
      return new URL(await library().getLogoutUrlAsync(user, relayState, {}))
    },
  }
}

/** The answer has to name it; XML's IDs begin with no digit. */
const requestIdOf = (nonce: string): string => `_${nonce}`

/** Who says to have written the message of a form; null if it says so badly. Nothing of it is verified. */
export function findIssuer(text: string): string | null {
  try {
    return issuerOf(readPosted(text))
  } catch {
    return null
  }
}

/** Whether a form brings the answer to a log-out. */
export function isLogOutAnswer(text: string): boolean {
  try {
    return readPosted(text).localName === 'LogoutResponse'
  } catch {
    return false
  }
}

/** Who says to have written the message of a URL; null if it says so badly. */
export function findRedirectIssuer(query: string): string | null {
  try {
    return readRedirected(query).issuer
  } catch {
    return null
  }
}

/** Looks into an encrypted assertion, which the library decrypts once more: what it may contain is the same. Throws. */
async function checkEncrypted(response: XmlElement, { key }: SamlSite): Promise<void> {
  const [encrypted] = childrenOf(response, SAML, 'EncryptedAssertion')
  if (!encrypted) return
  if (!key) throw new Error('the assertion is encrypted, and the settings have no key (saml.private_key)')
  const xml = await promisify(decrypt)(encrypted.toString(), { key: key.privateKey })
  const assertion = parseMessage(xml)
  if (assertion.localName !== 'Assertion') throw new Error('what is encrypted is no assertion')
  checkShape(assertion)
}

function readPeer(settings: SamlSettings, key: (name: string) => string): Peer {
  const metadata =
    settings.metadata === undefined
      ? null
      : asKey(key('metadata'), () =>
          readMetadata(readSecret(settings.metadata ?? '', key('metadata')), settings.entity_id),
        )
  const certificates =
    settings.certificates?.map(
      (one, index) => [readSecret(one, key(`certificates.${index}`)), key(`certificates.${index}`)] as const,
    ) ??
    metadata?.certificates.map((one) => [one, key('metadata')] as const) ??
    []
  const ssoUrl = settings.sso_url ?? metadata?.ssoUrl ?? null
  const sloUrl = settings.slo_url ?? metadata?.sloUrl ?? null
  if (ssoUrl === null)
    throw new Error(`SIGN_ON: ${key('metadata')} name no SingleSignOnService by HTTP-Redirect`)
  if (certificates.length === 0)
    throw new Error(`SIGN_ON: ${key('metadata')} have no certificate for signing`)
  for (const url of [ssoUrl, sloUrl]) {
    if (url === null) continue
    const scheme = URL.canParse(url) ? new URL(url).protocol : ''
    if (scheme !== 'https:' && !(scheme === 'http:' && settings.allow_unencrypted))
      throw new Error(`SIGN_ON: ${key('metadata')} name ${url}, which is no https:// URL`)
  }
  return {
    entityId: settings.entity_id ?? metadata?.entityId ?? '',
    ...{ ssoUrl, sloUrl },
    certificates: certificates.map(([text, name]) => readCertificate(text, name)),
  }
}

function asKey<T>(key: string, read: () => T): T {
  try {
    return read()
  } catch (err) {
    const { message } = err as Error
    throw message.startsWith('SIGN_ON') ? err : new Error(`SIGN_ON: ${key} ${message}`)
  }
}
