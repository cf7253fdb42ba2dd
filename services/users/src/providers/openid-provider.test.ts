import { signOnSettings } from '@tms/contracts'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLIENT_ID, type FakeOpenIdServer, startFakeOpenIdServer } from './fake-openid-server.ts'
import { openOAuthProvider } from './open-providers.ts'
import type { Attempt, BroughtAnswer, Provider, Verification } from './provider.ts'

const ATTEMPT: Attempt = {
  state: 'state-of-this-attempt',
  nonce: 'nonce-of-this-attempt',
  codeVerifier: 'v'.repeat(43),
  redirectUri: 'https://chat.example.com/complete/oidc/',
}
const ADDRESS = { email: 'ada@example.com', email_verified: true }

let server: FakeOpenIdServer
let provider: Provider

const opened = (settings: { kind: string; [key: string]: unknown }): Promise<Provider> => {
  const secret = settings.kind === 'apple' ? {} : { client_secret: 's3cret' }
  const common = { ...secret, client_id: CLIENT_ID, allow_unencrypted: true }
  const { providers } = signOnSettings.parse({ providers: [{ ...common, ...settings }] })
  const [only] = providers
  if (!only || only.kind === 'saml') throw new Error('no provider')
  return openOAuthProvider(only, (name) => name, {})
}

const answered = (answer: BroughtAnswer = {}, by = provider): Promise<Verification> =>
  by.verify(ATTEMPT, { state: ATTEMPT.state, code: 'code', ...answer })

beforeAll(async () => {
  server = await startFakeOpenIdServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.lies = { userInfo: ADDRESS }
  server.setNonce(ATTEMPT.nonce)
  provider = await opened({ kind: 'oidc', issuer: server.issuer, timeout_seconds: 1 })
})

describe('a provider of OpenID Connect', () => {
  test('is asked with state, nonce and a challenge, and with nothing secret', async () => {
    const url = await provider.findSignInUrl(ATTEMPT)
    expect(`${url.origin}${url.pathname}`).toBe(`${server.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: ATTEMPT.redirectUri,
      scope: 'openid profile email',
      state: ATTEMPT.state,
      nonce: ATTEMPT.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  test('says who somebody is, for the code and the verifier of the challenge', async () => {
    server.lies = { userInfo: { ...ADDRESS, name: 'Ada Lovelace' } }
    expect(await answered()).toMatchObject({
      kind: 'proven',
      person: {
        ...{ issuer: server.issuer, subject: 'ada', addresses: ['ada@example.com'], role: null },
        fullName: 'Ada Lovelace',
      },
    })
    expect(Object.fromEntries(server.asked())).toMatchObject({
      grant_type: 'authorization_code',
      code: 'code',
      redirect_uri: ATTEMPT.redirectUri,
      code_verifier: ATTEMPT.codeVerifier,
      client_secret: 's3cret',
    })
  })

  test('may replace its key at any time', async () => {
    expect(await answered()).toMatchObject({ kind: 'proven' })
    await server.replaceKey()
    expect(await answered()).toMatchObject({ kind: 'proven' })
  })

  test('may have a clock that differs by half a minute', async () => {
    const now = Math.floor(Date.now() / 1_000)
    server.lies = { ...server.lies, claims: { iat: now + 30 } }
    expect(await answered()).toMatchObject({ kind: 'proven' })
    server.lies = { ...server.lies, claims: { iat: now - 330, exp: now - 30 } }
    expect(await answered()).toMatchObject({ kind: 'proven' })
  })

  test('decides about role and profile by claims', async () => {
    provider = await opened({
      ...{ kind: 'oidc', issuer: server.issuer },
      roles: { attribute: 'groups', values: { admins: 'administrator', all: 'member' }, otherwise: 'guest' },
      profile_fields: { Phone: 'phone_number', Team: 'team' },
    })
    server.lies = { userInfo: { ...ADDRESS, groups: ['all', 'admins'], phone_number: '+44 1' } }
    expect(await answered()).toMatchObject({
      person: {
        role: 200,
        decidesAboutOwners: false,
        profile: new Map([
          ['Phone', '+44 1'],
          ['Team', null],
        ]),
      },
    })
    server.lies = { userInfo: { ...ADDRESS, groups: 'strange' } }
    expect(await answered()).toMatchObject({ person: { role: 600 } })
  })
})

describe('an address counts only if the provider has verified it', () => {
  test.each<[string, object]>([
    ['says that it has not', { email: 'ada@example.com', email_verified: false }],
    ['does not say so', { email: 'ada@example.com' }],
    ['says so as a text', { email: 'ada@example.com', email_verified: 'false' }],
    ['says so as another text', { email: 'ada@example.com', email_verified: 'true' }],
    ['says so of no address', { email: 'ada', email_verified: true }],
    ['says so of two', { email: ['ada@example.com', 'b@example.com'], email_verified: true }],
  ])('not if it %s', async (_, userInfo) => {
    server.lies = { userInfo: userInfo as Record<string, unknown> }
    expect(await answered()).toMatchObject({ kind: 'proven', person: { addresses: [] } })
  })

  test('nor if it is another claim than the one that is verified', async () => {
    provider = await opened({ kind: 'oidc', issuer: server.issuer, email_claim: 'preferred_username' })
    server.lies = { userInfo: { ...ADDRESS, preferred_username: 'owner@example.com' } }
    expect(await answered()).toMatchObject({ kind: 'proven', person: { addresses: [] } })
  })

  test('or if the operator trusts it nevertheless', async () => {
    provider = await opened({ kind: 'oidc', issuer: server.issuer, trusts_addresses: true })
    server.lies = { userInfo: { email: 'ada@example.com' } }
    expect(await answered()).toMatchObject({ person: { addresses: ['ada@example.com'] } })
  })

  test('Google: in the domain of the Workspace alone', async () => {
    provider = await opened({ kind: 'google', issuer: server.issuer, hosted_domain: 'example.com' })
    expect((await provider.findSignInUrl(ATTEMPT)).searchParams.get('hd')).toBe('example.com')
    expect(await answered()).toEqual({ kind: 'foreign' })
    server.lies = { ...server.lies, claims: { hd: 'other.com' } }
    expect(await answered()).toEqual({ kind: 'foreign' })
    server.lies = { ...server.lies, claims: { hd: 'example.com' } }
    expect(await answered()).toMatchObject({ kind: 'proven', person: { addresses: ['ada@example.com'] } })
  })

  test('Microsoft: of the one tenant, which has to own the domain of the address', async () => {
    const tenant = 'd8a5f0e0-0000-4000-8000-000000000001'
    const issuer = `${server.issuer}/${tenant}/v2.0`
    const microsoft = await opened({ kind: 'microsoft', issuer: server.issuer, tenant })
    const discovery = { issuer, authorization_endpoint: `${server.issuer}/authorize` }
    const described = (_: unknown, response: import('node:http').ServerResponse) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          ...discovery,
          token_endpoint: `${server.issuer}/token`,
          jwks_uri: `${server.issuer}/keys`,
        }),
      )
    const paths = { [`/${tenant}/v2.0/.well-known/openid-configuration`]: described }
    const claims = { iss: issuer, tid: tenant, ...ADDRESS }
    server.lies = { paths, claims }
    expect(await answered({}, microsoft)).toMatchObject({ kind: 'proven', person: { addresses: [] } })
    server.lies = { paths, claims: { ...claims, xms_edov: true } }
    expect(await answered({}, microsoft)).toMatchObject({ person: { addresses: ['ada@example.com'] } })
    server.lies = { paths, claims: { ...claims, xms_edov: true, tid: 'another' } }
    expect(await answered({}, microsoft)).toEqual({ kind: 'foreign' })
    server.lies = { paths, claims: { ...claims, iss: `${server.issuer}/another/v2.0`, xms_edov: true } }
    expect(await answered({}, microsoft)).toMatchObject({ kind: 'wrong' })
  })

  test('Apple: as a text too; it is shown a secret for the moment, and sends the name beside the token', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const { exportPKCS8 } = await import('jose')
    const apple = await opened({
      ...{ kind: 'apple', issuer: server.issuer },
      ...{ team_id: 'TEAM', key_id: 'KEY', private_key: await exportPKCS8(privateKey) },
    })
    server.lies = { claims: { email: 'ada@example.com', email_verified: 'true' } }
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' } })

    expect(apple.answersByForm).toBe(true)
    expect((await apple.findSignInUrl(ATTEMPT)).searchParams.get('response_mode')).toBe('form_post')
    expect(await answered({ user }, apple)).toMatchObject({
      person: { addresses: ['ada@example.com'], fullName: 'Ada Lovelace' },
    })
    const [header, payload] = (server.asked().get('client_secret') ?? '')
      .split('.', 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toEqual({ alg: 'ES256', kid: 'KEY' })
    expect(payload).toMatchObject({ iss: 'TEAM', sub: CLIENT_ID, aud: server.issuer })
    expect(payload.exp - payload.iat).toBe(300)
    expect(await answered({ user: '{"name":null}' }, apple)).toMatchObject({ person: { fullName: null } })
  })
})

describe('an answer is refused', () => {
  const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset

  test.each<[string, () => Record<string, unknown>]>([
    ['of another issuer', () => ({ iss: 'https://evil.example' })],
    ['for another client', () => ({ aud: 'another' })],
    ['for several clients, issued to another', () => ({ aud: [CLIENT_ID, 'another'], azp: 'another' })],
    ['for several clients, issued to nobody', () => ({ aud: [CLIENT_ID, 'another'] })],
    ['that has expired', () => ({ exp: seconds(-120) })],
    ['without an end', () => ({ exp: undefined })],
    ['from the future', () => ({ iat: seconds(120) })],
    ['that is not valid yet', () => ({ nbf: seconds(120) })],
    ['that was issued long ago', () => ({ iat: seconds(-3_600) })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['with the nonce of another attempt', () => ({ nonce: 'nonce-of-another-attempt' })],
    ['about nobody', () => ({ sub: undefined })],
  ])('%s', async (_, claims) => {
    server.lies = { ...server.lies, claims: claims() }
    expect(await answered()).toMatchObject({ kind: 'wrong' })
  })

  test('whose token is unsigned', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const alg of ['none', 'None', 'NONE']) {
      server.lies = { ...server.lies, token: (claims) => `${part({ alg })}.${part(claims)}.` }
      expect(await answered()).toMatchObject({ kind: 'wrong' })
    }
  })

  test('whose token is signed with another key, or with one that it brings along', async () => {
    const other = await generateKeyPair('RS256')
    const jwk = await exportJWK(other.publicKey)
    for (const header of [{ kid: '0' }, { kid: '1', jwk }, { jwk }]) {
      server.lies = {
        ...server.lies,
        token: (claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(other.privateKey),
      }
      expect(await answered()).toMatchObject({ kind: 'wrong' })
    }
  })

  test('whose token is signed with the public key, or with the secret of the client, as a shared secret', async () => {
    const texts = [JSON.stringify(server.publicJwk()), 's3cret'.padEnd(32, 'x'), 's3cret']
    for (const text of texts) {
      const secret = await importJWK(
        { kty: 'oct', k: Buffer.from(text.padEnd(32)).toString('base64url') },
        'HS256',
      )
      server.lies = {
        ...server.lies,
        token: (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
      }
      expect(await answered()).toMatchObject({ kind: 'wrong' })
    }
  })

  test('if what is said about the person is about another one', async () => {
    server.lies = { userInfo: { ...ADDRESS, sub: 'eve' } }
    expect(await answered()).toMatchObject({ kind: 'wrong' })
  })

  test('with the state of another attempt, or without one', async () => {
    expect(await answered({ state: 'state-of-another-attempt' })).toMatchObject({ kind: 'wrong' })
    expect(await answered({ state: undefined })).toMatchObject({ kind: 'wrong' })
  })

  test('that another provider has given', async () => {
    expect(await answered({ iss: 'https://evil.example' })).toMatchObject({ kind: 'wrong' })
  })

  test('that says that the person gave up, or anything else', async () => {
    expect(await answered({ code: undefined, error: 'access_denied' })).toEqual({ kind: 'cancelled' })
    expect(await answered({ code: undefined, error: 'server_error' })).toMatchObject({ kind: 'wrong' })
  })

  test('without a token', async () => {
    server.lies = { ...server.lies, token: () => '' }
    expect(await answered()).toMatchObject({ kind: 'wrong' })
  })
})

describe('a provider that is not well', () => {
  const refusedAt = (path: string, lie: NonNullable<FakeOpenIdServer['lies']['paths']>[string]) => {
    server.lies = { ...server.lies, paths: { [path]: lie } }
  }
  const DISCOVERY = '/.well-known/openid-configuration'
  const unavailable = { code: 'SERVICE_UNAVAILABLE' }

  test.each<[string, NonNullable<FakeOpenIdServer['lies']['paths']>[string]]>([
    ['hangs', () => {}],
    ['fails', (_, response) => response.writeHead(500).end()],
    ['closes the connection', (request) => request.destroy()],
    ['sends too much', (_, response) => response.writeHead(200).end('x'.repeat(300_000))],
  ])('and %s is unavailable, before and after the sign-in there', async (_, lie) => {
    refusedAt(DISCOVERY, lie)
    await expect(provider.findSignInUrl(ATTEMPT)).rejects.toMatchObject(unavailable)
    server.lies = { userInfo: ADDRESS }
    await provider.findSignInUrl(ATTEMPT)
    for (const path of ['/token', '/keys', '/userinfo']) {
      refusedAt(path, lie)
      await expect(answered()).rejects.toMatchObject(unavailable)
    }
  })

  test.each([DISCOVERY, '/token', '/keys', '/userinfo'])(
    'is not followed elsewhere from %s',
    async (path) => {
      let wasFollowed = false
      server.lies = {
        userInfo: ADDRESS,
        paths: {
          [path]: (_, response) => response.writeHead(302, { location: `${server.issuer}/elsewhere` }).end(),
          '/elsewhere': (_, response) => {
            wasFollowed = true
            response.writeHead(200).end('{}')
          },
        },
      }
      const outcome = await answered().catch((err: unknown) => err)
      expect(outcome).not.toMatchObject({ kind: 'proven' })
      expect(wasFollowed).toBe(false)
    },
  )

  test('and calls itself another one is not used', async () => {
    server.lies = { ...server.lies, discovery: { issuer: 'https://evil.example' } }
    await expect(provider.findSignInUrl(ATTEMPT)).rejects.toMatchObject(unavailable)
  })

  test('is used again once it is well', async () => {
    refusedAt(DISCOVERY, (_, response) => response.writeHead(503).end())
    await expect(answered()).rejects.toMatchObject(unavailable)
    server.lies = { userInfo: ADDRESS }
    expect(await answered()).toMatchObject({ kind: 'proven' })
  })
})
