import { inflateRawSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Verification } from '../provider.ts'
import {
  ANSWER_URL,
  assertionOf,
  attributeOf,
  createKeyPair,
  ENTITY_ID,
  encrypted,
  encryptedId,
  inSeconds,
  posted,
  responseOf,
  type SigningLies,
  signed,
} from './fake-saml-provider.ts'
import { ATTEMPT, openSamlProvider, SSO_URL } from './open-saml-provider.ts'
import type { SamlProvider } from './saml-providers.ts'

const [own, theirs, other] = [createKeyPair(), createKeyPair(), createKeyPair()]
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#'
let provider: SamlProvider

const opened = (change: object = {}) => openSamlProvider({ own, theirs, change })
const openedWithoutKey = () => openSamlProvider({ own: null, theirs })

beforeEach(async () => {
  provider = await opened()
})

const answered = (xml: string, by = provider): Promise<Verification> =>
  by.verify(ATTEMPT, { SAMLResponse: posted(xml) })
const signedAssertion = (
  lies: Parameters<typeof assertionOf>[0] = {},
  pair = theirs,
  how: SigningLies = {},
) => signed(responseOf(assertionOf(lies)), 'Assertion', pair, how)
const signedResponse = (lies: Parameters<typeof assertionOf>[0] = {}) =>
  signed(responseOf(assertionOf(lies)), 'Response', theirs)

async function expectRefused(xml: string, cause: RegExp, by = provider): Promise<void> {
  const verification = await answered(xml, by)
  expect(verification).toMatchObject({ kind: 'wrong' })
  expect(verification.kind === 'wrong' && (verification.cause as Error).message).toMatch(cause)
}

describe('a provider of SAML', () => {
  test('is asked by a signed request that names this attempt', async () => {
    const url = await provider.findSignInUrl(ATTEMPT)
    expect(url.href).toContain(`${SSO_URL}&SAMLRequest=`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      RelayState: 'state',
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    })
    const request = inflateRawSync(
      Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString()
    expect(request).toContain('ID="_nonce"')
    expect(request).toContain(`AssertionConsumerServiceURL="${ANSWER_URL}"`)
    const unsigned = await (await openedWithoutKey()).findSignInUrl(ATTEMPT)
    expect(unsigned.searchParams.has('Signature')).toBe(false)
  })

  test('says who somebody is, by signed attributes', async () => {
    const attributes = [
      attributeOf('email', ' Ada@Example.com '),
      attributeOf('first', 'Ada &amp;'),
      attributeOf('last', 'Lovelace'),
      attributeOf('groups', 'staff', 'chiefs'),
      attributeOf('phone', '123'),
      attributeOf('chats', 'sales', 'www'),
    ].join('')
    const by = await opened({
      attributes: { email: 'email', first_name: 'first', last_name: 'last', organizations: 'chats' },
      roles: { attribute: 'groups', values: { chiefs: 'administrator' } },
      profile_fields: { Phone: 'phone' },
    })
    expect(await answered(signedAssertion({ attributes }), by)).toMatchObject({
      kind: 'proven',
      person: {
        ...{ issuer: `saml:${ENTITY_ID}`, subject: 'ada', addresses: ['Ada@Example.com'] },
        ...{ fullName: 'Ada & Lovelace', role: 200, profile: new Map([['Phone', '123']]) },
        mayEnter: ['sales', 'www'],
        session: { name_id: 'ada', session_index: 'session-1' },
      },
    })
  })

  test.each<[string, () => string | Promise<string>]>([
    ['the assertion is signed', () => signedAssertion()],
    ['the answer is signed', () => signedResponse()],
    ['both are', () => signed(signedAssertion(), 'Response', theirs)],
    [
      'a signed assertion is encrypted',
      async () => responseOf(await encrypted(signed(assertionOf(), 'Assertion', theirs), own)),
    ],
    [
      'an encrypted assertion is in a signed answer',
      async () => signed(responseOf(await encrypted(assertionOf(), own)), 'Response', theirs),
    ],
    [
      'it is encrypted as older providers do',
      async () =>
        responseOf(
          await encrypted(signed(assertionOf(), 'Assertion', theirs), own, {
            content: `${XMLENC}aes256-cbc`,
          }),
        ),
    ],
    ['the name ID is encrypted', async () => signedAssertion({ nameId: await encryptedId(own) })],
    [
      'the name ID is encrypted in an encrypted assertion',
      async () =>
        responseOf(
          await encrypted(signed(assertionOf({ nameId: await encryptedId(own) }), 'Assertion', theirs), own),
        ),
    ],
    ['there is a declaration of XML', () => `<?xml version="1.0" encoding="UTF-8"?>\n${signedAssertion()}`],
    [
      'clocks differ a little',
      () => signedAssertion({ conditions: ` NotBefore="${inSeconds(30)}" NotOnOrAfter="${inSeconds(90)}"` }),
    ],
  ])('is believed if %s', async (_, xml) => {
    expect(await answered(await xml())).toMatchObject({ kind: 'proven', person: { subject: 'ada' } })
  })

  test('may have two certificates, while one replaces the other', async () => {
    const by = await opened({ certificates: [other.certificate, theirs.certificate] })
    expect(await answered(signedAssertion(), by)).toMatchObject({ kind: 'proven' })
    expect(await answered(signedAssertion({}, other), by)).toMatchObject({ kind: 'proven' })
  })

  test('may send an ID in an attribute, or an address as the name ID', async () => {
    const byAttribute = await opened({ attributes: { email: 'email', id: 'uid' } })
    const attributes = attributeOf('email', 'ada@example.com') + attributeOf('uid', '42')
    const transient =
      '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">x1</saml:NameID>'
    expect(await answered(signedAssertion({ attributes, nameId: transient }), byAttribute)).toMatchObject({
      person: { subject: '42' },
    })
    await expectRefused(signedAssertion({ nameId: transient }), /another one at each sign-in/)
    await expectRefused(signedAssertion(), /no attribute uid/, byAttribute)
    const byName = await opened({ attributes: {} })
    const address = signedAssertion({ nameId: '<saml:NameID>Ada@Example.com</saml:NameID>' })
    expect(await answered(address, byName)).toMatchObject({
      person: { subject: 'ada@example.com', addresses: ['Ada@Example.com'] },
    })
  })

  test('can tell that the person gave up', async () => {
    const status =
      '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>'
    expect(await answered(responseOf('', { status }))).toEqual({ kind: 'cancelled' })
    await expectRefused(responseOf('', { status: '<samlp:StatusCode Value="urn:x"/>' }), /says urn:x/)
    await expectRefused(
      signed(responseOf(assertionOf(), { status: '<samlp:StatusCode Value="urn:x"/>' }), 'Response', theirs),
      /says urn:x/,
    )
  })
})

describe('an answer is refused', () => {
  const NAME = '<saml:NameID>owner</saml:NameID>'
  const evil = () => assertionOf({ nameId: NAME })
  /** The signed assertion, and the answer around it. */
  const parts = () => {
    const xml = signedAssertion()
    const assertion = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
    const signature = /<Signature.*<\/Signature>/s.exec(assertion)?.[0] ?? ''
    return { xml, assertion, signature, around: (content: string) => xml.replace(assertion, () => content) }
  }

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['without a signature', () => responseOf(assertionOf()), /Invalid signature/],
    ['signed by another key, which is in the message', () => signedAssertion({}, other), /Invalid signature/],
    ['whose assertion was changed', () => signedAssertion().replace('>ada<', '>owner<'), /Invalid signature/],
    [
      'whose signed answer was changed',
      () => signedResponse().replace('>ada@', '>owner@'),
      /Invalid signature/,
    ],
    [
      'whose assertion was swapped in a signed answer',
      () => signedResponse().replace(/<saml:Assertion.*<\/saml:Assertion>/s, () => evil()),
      /Invalid signature/,
    ],
    ['with two assertions', () => parts().around(evil() + parts().assertion), /more than one assertion/],
    [
      'with a second assertion behind the signed one',
      () => {
        const { around, assertion } = parts()
        return around(assertion + evil())
      },
      /more than one assertion/,
    ],
    [
      'with the signed assertion in an extension',
      () => {
        const { around, assertion } = parts()
        return around(`<samlp:Extensions>${assertion}</samlp:Extensions>${evil()}`)
      },
      /more than one assertion/,
    ],
    [
      'with the signed assertion in the false one',
      () => {
        const { around, assertion } = parts()
        return around(evil().replace('</saml:Issuer>', `</saml:Issuer>${assertion}`))
      },
      /more than one assertion/,
    ],
    [
      'with the signed assertion in the signature of the false one',
      () => {
        const { around, assertion, signature } = parts()
        const bare = assertion.replace(signature, '')
        const moved = signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`)
        return around(evil().replace('</saml:Issuer>', () => `</saml:Issuer>${moved}`))
      },
      /more than one assertion/,
    ],
    [
      'with the signature beside the assertion',
      () => {
        const { around, assertion, signature } = parts()
        return around(signature + evil().replace(/ID="[^"]*"/, /ID="[^"]*"/.exec(assertion)?.[0] ?? ''))
      },
      /signature/i,
    ],
    [
      'whose false assertion has the ID of the signed one',
      () => {
        const { around, assertion, signature } = parts()
        const id = /ID="[^"]*"/.exec(assertion)?.[0] ?? ''
        return around(
          evil()
            .replace(/ID="[^"]*"/, id)
            .replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`),
        )
      },
      /Invalid signature/,
    ],
    [
      'with the signed answer in another one',
      () => {
        const inner = signedResponse()
        return responseOf(`<samlp:Extensions>${inner}</samlp:Extensions>${evil()}`)
      },
      /more than one assertion|signature where none/,
    ],
    [
      'with a plain and an encrypted assertion',
      async () =>
        responseOf(assertionOf() + (await encrypted(signed(assertionOf(), 'Assertion', theirs), own))),
      /more than one assertion/,
    ],
    [
      'with an assertion of another namespace',
      () => signedAssertion().replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:other'),
      /nobody|none of SAML/,
    ],
    [
      'with a comment in the name ID',
      () => signedAssertion({ nameId: '<saml:NameID>owner<!-- -->.evil</saml:NameID>' }),
      /comment/,
    ],
    [
      'with a comment that was put into a signed address',
      () =>
        signedAssertion({ attributes: attributeOf('email', 'o@example.com.evil.example') }).replace(
          '.evil',
          '<!---->.evil',
        ),
      /comment/,
    ],
    [
      'with CDATA',
      () => signedAssertion({ nameId: '<saml:NameID><![CDATA[owner]]></saml:NameID>' }),
      /CDATA/,
    ],
    ['with a processing instruction', () => `<?x y?>${signedAssertion()}`, /processing instruction/],
    [
      'with an entity that reads a file',
      () =>
        `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${signedAssertion().replace('>ada<', '>&e;<')}`,
      /DTD/,
    ],
    [
      'with entities that grow',
      () => `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${signedAssertion()}`,
      /DTD/,
    ],
    ['that is huge', () => responseOf(`<a>${'x'.repeat(200_000)}</a>`), /too large/],
    ['with very many elements', () => responseOf('<a/>'.repeat(6_000)), /too many elements/],
    ['that is no XML', () => 'SAML', /malformed|empty/],
    ['that is not closed', () => signedAssertion().slice(0, -20), /malformed/],
    [
      'signed with SHA-1',
      () => signedAssertion({}, theirs, { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
      /rsa-sha1/,
    ],
    [
      'with a digest of SHA-1',
      () => signedAssertion({}, theirs, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
      /DigestMethod/,
    ],
    ['signed with the certificate as a secret', () => signedAssertion({}, theirs, { isHmac: true }), /hmac/],
    [
      'whose encrypted assertion is not signed',
      async () => responseOf(await encrypted(assertionOf(), own)),
      /Invalid signature/,
    ],
    [
      'whose encrypted assertion is signed by another key',
      async () => responseOf(await encrypted(signed(assertionOf(), 'Assertion', other), own)),
      /Invalid signature/,
    ],
    [
      'whose encrypted assertion is signed with SHA-1',
      async () =>
        responseOf(
          await encrypted(
            signed(assertionOf(), 'Assertion', theirs, {
              signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
            }),
            own,
          ),
        ),
      /rsa-sha1/,
    ],
    [
      'whose encrypted assertion has a comment',
      async () =>
        responseOf(
          await encrypted(
            signed(assertionOf({ nameId: '<saml:NameID>owner<!-- -->x</saml:NameID>' }), 'Assertion', theirs),
            own,
          ),
        ),
      /comment/,
    ],
    [
      'encrypted with a padding that can be guessed',
      async () =>
        responseOf(
          await encrypted(signed(assertionOf(), 'Assertion', theirs), own, { key: `${XMLENC}rsa-1_5` }),
        ),
      /rsa-1_5/,
    ],
    [
      'whose name ID is encrypted with such a padding',
      async () => signedAssertion({ nameId: await encryptedId(own, { key: `${XMLENC}rsa-1_5` }) }),
      /rsa-1_5/,
    ],
    [
      'whose name ID is encrypted for somebody else',
      async () => signedAssertion({ nameId: await encryptedId(other) }),
      /./,
    ],
    [
      'with a plain and an encrypted name ID',
      async () => signedAssertion({ nameId: `<saml:NameID>ada</saml:NameID>${await encryptedId(own)}` }),
      /plain and an encrypted name/,
    ],
    [
      'whose encrypted name ID is something else',
      async () => signedAssertion({ nameId: await encryptedId(own, { xml: assertionOf() }) }),
      /no name ID/,
    ],
    [
      'whose encrypted name ID has a comment',
      async () =>
        signedAssertion({
          nameId: await encryptedId(own, {
            xml: '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">a<!-- -->da</saml:NameID>',
          }),
        }),
      /comment/,
    ],
    ['of another provider', () => signedAssertion({ issuer: 'https://evil.example' }), /from https:..evil/],
    [
      'that names another provider around the assertion',
      () =>
        signed(
          responseOf(assertionOf(), { issuer: '<saml:Issuer>urn:x</saml:Issuer>' }),
          'Assertion',
          theirs,
        ),
      /from urn:x/,
    ],
    [
      'for another installation',
      () =>
        signedAssertion({
          audience:
            '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
        }),
      /audience/i,
    ],
    ['for anybody', () => signedAssertion({ audience: '' }), /AudienceRestriction/],
    [
      'sent to another address',
      () =>
        signed(
          responseOf(assertionOf(), { destination: ' Destination="https://other.example/"' }),
          'Assertion',
          theirs,
        ),
      /for https:..other/,
    ],
    [
      'that another address should get',
      () => signedAssertion({ recipient: ' Recipient="https://x/"' }),
      /no confirmation/,
    ],
    ['that any address should get', () => signedAssertion({ recipient: '' }), /no confirmation/],
    [
      'that has ended',
      () => signedAssertion({ until: ` NotOnOrAfter="${inSeconds(-90)}"` }),
      /no confirmation/,
    ],
    ['that never ends', () => signedAssertion({ until: '' }), /NotOnOrAfter/],
    [
      'whose conditions have ended',
      () => signedAssertion({ conditions: ` NotOnOrAfter="${inSeconds(-90)}"` }),
      /expired/,
    ],
    [
      'of the future',
      () => signedAssertion({ conditions: ` NotBefore="${inSeconds(90)}" NotOnOrAfter="${inSeconds(99)}"` }),
      /not yet valid/,
    ],
    [
      'whose session is over',
      () => signedAssertion({ session: ` SessionNotOnOrAfter="${inSeconds(-90)}"` }),
      /session .* is over/,
    ],
    [
      'to another request',
      () => signedAssertion({ inResponseTo: ' InResponseTo="_other"' }),
      /no confirmation/,
    ],
    ['to no request', () => signedAssertion({ inResponseTo: '' }), /no confirmation/],
    [
      'to another request, around the assertion',
      () =>
        signed(responseOf(assertionOf(), { inResponseTo: ' InResponseTo="_other"' }), 'Assertion', theirs),
      /another request/,
    ],
    [
      'that needs a key of the person',
      () => signedAssertion({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
      /no confirmation/,
    ],
    ['about nobody', () => signedAssertion({ nameId: '' }), /about nobody/],
    ['that says nothing', () => signed(responseOf(''), 'Response', theirs), /assertion/],
  ])('%s', async (_, xml, cause) => {
    await expectRefused(await xml(), cause)
  })

  test('if it is used again', async () => {
    const xml = signedAssertion()
    expect(await answered(xml)).toMatchObject({ kind: 'proven' })
    await expectRefused(xml, /used before/)
    // Another signature around the same assertion doesn't make it new.
    await expectRefused(signed(xml, 'Response', theirs), /used before/)
  })

  test('if it is encrypted, and the installation has no key', async () => {
    const xml = responseOf(await encrypted(signed(assertionOf(), 'Assertion', theirs), own))
    await expectRefused(xml, /no key/, await openedWithoutKey())
    const named = signedAssertion({ nameId: await encryptedId(own) })
    await expectRefused(named, /no key/, await openedWithoutKey())
  })

  test('if it has an address that is none: it opens nothing', async () => {
    const attributes = attributeOf('email', '<b>ada@example.com</b>')
    await expectRefused(signedAssertion({ attributes }), /is no text/)
    expect(await answered(signedAssertion({ attributes: attributeOf('email', 'ada') }))).toMatchObject({
      person: { addresses: [] },
    })
  })

  test('if nobody asked, but it says that somebody did', async () => {
    const unasked = (xml: string) => provider.verifyUnasked({ SAMLResponse: posted(xml) })
    const plain = signed(
      responseOf(assertionOf({ inResponseTo: '' }), { inResponseTo: '' }),
      'Assertion',
      theirs,
    )
    expect(await unasked(plain)).toMatchObject({ kind: 'proven' })
    expect(await unasked(plain)).toMatchObject({ kind: 'wrong' })
    expect(await unasked(signedAssertion())).toMatchObject({ kind: 'wrong' })
    const hidden = signed(responseOf(assertionOf(), { inResponseTo: '' }), 'Assertion', theirs)
    expect(await unasked(hidden)).toMatchObject({ kind: 'wrong' })
  })
})
