import { inflateRawSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { createKeyPair, inSeconds, logOutQuery, posted } from './fake-saml-provider.ts'
import { ATTEMPT, openSamlProvider, SLO_URL, signedAssertionOf } from './open-saml-provider.ts'
import type { SamlProvider } from './saml-providers.ts'

const [own, theirs, other] = [createKeyPair(), createKeyPair(), createKeyPair()]
let provider: SamlProvider

const opened = (change: object = {}) => openSamlProvider({ own, theirs, change })

beforeEach(async () => {
  provider = await opened()
})

describe('a log-out at the provider', () => {
  const netEncoding = (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())
  const spaces = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')

  test.each([
    ['as most do', encodeURIComponent],
    ['in lower case', netEncoding],
    ['with + for a space', spaces],
  ])('names somebody and sessions, encoded %s', async (_, encode) => {
    const sessions = '<samlp:SessionIndex>session-1</samlp:SessionIndex>'
    const { person, sessionIndexes, answerUrl } = await provider.verifyLogOut(
      logOutQuery(theirs, { sessions, encode }),
    )
    const signIn = await provider.verify(ATTEMPT, { SAMLResponse: posted(signedAssertionOf(theirs)) })
    expect(signIn.kind === 'proven' && signIn.person.session?.['person']).toBe(person)
    expect(sessionIndexes).toEqual(['session-1'])
    expect(answerUrl?.href).toContain(`${SLO_URL}?SAMLResponse=`)
    expect(answerUrl?.searchParams.get('RelayState')).toBe('back here')
    expect(answerUrl?.searchParams.has('Signature')).toBe(true)
  })

  test.each<[string, () => string, RegExp]>([
    ['without a signature', () => logOutQuery(theirs).replace(/&Signature=.*/, ''), /no signature/],
    ['with an empty one', () => logOutQuery(theirs).replace(/&Signature=.*/, '&Signature='), /no signature/],
    ['by another key', () => logOutQuery(other), /wrong signature/],
    [
      'with SHA-1',
      () => logOutQuery(theirs, { hash: 'sha1', algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
      /weak/,
    ],
    ['whose state was changed', () => logOutQuery(theirs).replace('back', 'away'), /wrong signature/],
    ['with a second request', () => `${logOutQuery(theirs)}&SAMLRequest=x`, /several of SAMLRequest/],
    ['of another provider', () => logOutQuery(theirs, { issuer: 'urn:x' }), /from urn:x/],
    ['for another address', () => logOutQuery(theirs, { destination: ' Destination="urn:y"' }), /for urn:y/],
    ['that is old', () => logOutQuery(theirs, { issuedAt: inSeconds(-900) }), /not of this time/],
    ['that is something else', () => logOutQuery(theirs, { name: 'AuthnRequest' }), /no request to log out/],
    ['about nobody', () => logOutQuery(theirs, { nameId: ' ' }), /empty/],
    ['with a comment', () => logOutQuery(theirs, { nameId: 'owner<!-- -->x' }), /comment/],
    [
      'that inflates endlessly',
      () => logOutQuery(theirs, { nameId: 'x'.repeat(1_000_000) }),
      /larger than|buffer/i,
    ],
  ])('is refused %s', async (_, query, cause) => {
    await expect(provider.verifyLogOut(query())).rejects.toThrow(cause)
  })

  test('is refused if it is sent again', async () => {
    const query = logOutQuery(theirs)
    await provider.verifyLogOut(query)
    await expect(provider.verifyLogOut(query)).rejects.toThrow('used before')
  })

  test('can be asked for with a signed request about the session, if the provider takes such', async () => {
    const session = { person: 'x', name_id: 'ada', session_index: 'session-1' }
    const url = await provider.findLogOutUrl(session, '{"subdomain":"sales"}')
    expect(url?.href).toContain(`${SLO_URL}?SAMLRequest=`)
    expect(url?.searchParams.has('Signature')).toBe(true)
    const xml = inflateRawSync(Buffer.from(url?.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    expect(xml).toMatch(/>ada<.*>session-1</s)
    for (const change of [{ slo_url: undefined }, { single_log_out: false }])
      expect(await (await opened(change)).findLogOutUrl(session, '')).toBeNull()
  })
})
