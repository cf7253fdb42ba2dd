import { inflateRawSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  assertionOf,
  createKeyPair,
  encryptedId,
  inSeconds,
  logOutQuery,
  logOutRequestOf,
  posted,
  responseOf,
  signed,
} from './fake-saml-provider.ts'
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

  test('is refused with a name encrypted by a padding that can be guessed, or for somebody else', async () => {
    const weak = await encryptedId(own, { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' })
    const foreign = await encryptedId(other)
    await expect(provider.verifyLogOut(logOutQuery(theirs, { encryptedId: weak }))).rejects.toThrow(/rsa-1_5/)
    await expect(provider.verifyLogOut(logOutQuery(theirs, { encryptedId: foreign }))).rejects.toThrow()
  })

  test('is refused if it is sent again', async () => {
    const query = logOutQuery(theirs)
    await provider.verifyLogOut(query)
    await expect(provider.verifyLogOut(query)).rejects.toThrow('used before')
  })

  test('names somebody in a form, and by an encrypted name ID', async () => {
    const { person } = await provider.verifyLogOut(logOutQuery(theirs))
    const encryptedName = { encryptedId: await encryptedId(own) }
    expect((await provider.verifyLogOut(logOutQuery(theirs, encryptedName))).person).toBe(person)
    const sessions = '<samlp:SessionIndex>session-1</samlp:SessionIndex>'
    for (const name of [{}, encryptedName]) {
      const SAMLRequest = posted(signed(logOutRequestOf({ ...name, sessions }), 'LogoutRequest', theirs))
      const form = { SAMLRequest, RelayState: 'back here' }
      const asked = await provider.verifyPostedLogOut(form)
      expect(asked).toMatchObject({ person, sessionIndexes: ['session-1'] })
      expect(asked.answerUrl?.searchParams.get('RelayState')).toBe('back here')
      await expect(provider.verifyPostedLogOut(form)).rejects.toThrow('used before')
    }
  })

  const signedRequest = (lies: Parameters<typeof logOutRequestOf>[0] = {}, by = theirs) =>
    signed(logOutRequestOf(lies), 'LogoutRequest', by)
  const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['without a signature', () => logOutRequestOf(), /no signature/],
    ['by another key', () => signedRequest({}, other), /signature/],
    [
      'with SHA-1',
      () => signed(logOutRequestOf(), 'LogoutRequest', theirs, { signature: SHA1 }),
      /SignatureMethod/,
    ],
    [
      'by the certificate as a secret',
      () => signed(logOutRequestOf(), 'LogoutRequest', theirs, { isHmac: true }),
      /hmac/,
    ],
    ['that was changed', () => signedRequest().replace('>ada<', '>bob<'), /signature/],
    [
      'with a signed assertion in it',
      () => logOutRequestOf({ sessions: signed(assertionOf(), 'Assertion', theirs) }),
      /has an assertion/,
    ],
    [
      'around a signed request',
      () => logOutRequestOf({ nameId: 'bob', sessions: signedRequest() }),
      /signature where none may be/,
    ],
    [
      'whose signature is of another element',
      () => signedRequest().replace(/(<samlp:LogoutRequest[^>]*) ID="[^"]*"/, '$1 ID="_x"'),
      /signature/,
    ],
    ['of another provider', () => signedRequest({ issuer: 'urn:x' }), /from urn:x/],
    ['for another address', () => signedRequest({ destination: ' Destination="urn:y"' }), /for urn:y/],
    ['that is old', () => signedRequest({ issuedAt: inSeconds(-900) }), /not of this time/],
    ['with a comment', () => signedRequest().replace('>ada<', '>a<!-- -->da<'), /comment/],
    ['with a DTD', () => `<!DOCTYPE x [<!ENTITY a "b">]>${signedRequest()}`, /DTD/],
    [
      'that is an answer to a sign-in',
      () => signed(responseOf(''), 'Response', theirs),
      /no request to log out/,
    ],
    [
      'whose encrypted name has a padding that can be guessed',
      async () =>
        signedRequest({
          encryptedId: await encryptedId(own, { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }),
        }),
      /rsa-1_5/,
    ],
  ])('is refused in a form %s', async (_, xml, cause) => {
    await expect(provider.verifyPostedLogOut({ SAMLRequest: posted(await xml()) })).rejects.toThrow(cause)
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
