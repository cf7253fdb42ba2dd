import { generateKeyPairSync } from 'node:crypto'
import { type JwtIssuerSettings, signOnSettings } from '@tms/contracts'
import { type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createTokenIssuer } from './token-issuer.ts'

const SECRET = 'a secret of thirty-two bytes or more'
const OTHER_SECRET = 'another secret that is as long as it'
const NOW = new Date('2026-03-01T12:00:00Z')
const now = NOW.getTime() / 1_000
const realm = { realm_id: 7, url: 'https://sales.example.com' }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = ({ publicKey }: { publicKey: typeof rsa.publicKey }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString()

function settingsOf(change: object = {}): JwtIssuerSettings {
  const one = { organization: 'sales', algorithm: 'HS256', key: SECRET, ...change }
  const [parsed] = signOnSettings.parse({ jwt: [one] }).jwt
  if (!parsed) throw new Error('no settings')
  return parsed
}

const claims = { email: 'ada@example.com', exp: now + 60 }
const bytes = (text: string) => new TextEncoder().encode(text)
const signed = (
  payload: JWTPayload = claims,
  alg = 'HS256',
  key: Parameters<SignJWT['sign']>[0] = bytes(SECRET),
) => new SignJWT(payload).setProtectedHeader({ alg }).sign(key)
const verify = async (token: string | Promise<string>, change: object = {}) => {
  const issuer = await createTokenIssuer(settingsOf(change), 'jwt.0.key')
  return issuer.verify(await token, realm, NOW)
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a token to sign in with', () => {
  test('names the person, and says how long a copy could be used', async () => {
    expect(await verify(signed({ ...claims, name: 'Ada' }))).toMatchObject({
      ...{ email: 'ada@example.com', fullName: 'Ada', seconds: 121 },
    })
  })

  test.each([
    ['RS256', rsa],
    ['PS256', rsa],
    ['ES256', ec],
  ])('may be signed by the private half of a key, with %s', async (algorithm, pair) => {
    const token = signed(claims, algorithm, pair.privateKey)
    expect(await verify(token, { algorithm, key: pemOf(pair) })).toMatchObject({ email: 'ada@example.com' })
  })

  test('for another organization, which has another key, is refused', async () => {
    await expect(verify(signed(claims, 'HS256', bytes(OTHER_SECRET)))).rejects.toThrow('signature')
  })

  test('without a signature is refused, also with an algorithm that asks for one', async () => {
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`
    await expect(verify(unsigned)).rejects.toThrow()
    await expect(verify(unsigned.replace(/^[^.]*/, encode({ alg: 'HS256' })))).rejects.toThrow('signature')
  })

  test('that takes the public key for a shared secret is refused', async () => {
    const key = pemOf(rsa)
    await expect(verify(signed(claims, 'HS256', bytes(key)), { algorithm: 'RS256', key })).rejects.toThrow(
      'alg',
    )
  })

  test('with another algorithm than the one that is set is refused, although the key is right', async () => {
    await expect(verify(signed(claims, 'HS512'))).rejects.toThrow('alg')
    const token = signed(claims, 'PS256', rsa.privateKey)
    await expect(verify(token, { algorithm: 'RS256', key: pemOf(rsa) })).rejects.toThrow('alg')
  })

  test('whose header brings a key is not verified with that', async () => {
    const jwk = rsa.publicKey.export({ format: 'jwk' })
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk }).sign(rsa.privateKey)
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    await expect(verify(token, { algorithm: 'RS256', key: pemOf({ publicKey }) })).rejects.toThrow(
      'signature',
    )
  })

  test.each<[string, JWTPayload, object?]>([
    ['without an end', { email: claims.email }],
    ['that is over', { ...claims, exp: now - 61 }],
    ['that would count for too long', { ...claims, exp: now + 361 }],
    ['that would count for longer than is set', { ...claims, exp: now + 80 }, { max_age_seconds: 10 }],
    ['that doesn’t count yet', { ...claims, nbf: now + 61 }],
    ['from the future', { ...claims, iat: now + 61 }],
    ['without an address', { exp: claims.exp }],
    ['whose address is no text', { ...claims, email: ['ada@example.com'] }],
    ['whose address is none', { ...claims, email: 'ada' }],
    ['for another audience', { ...claims, aud: 'https://support.example.com' }],
    ['for another audience than is set', { ...claims, aud: realm.url }, { audience: 'chat' }],
    ['without the audience that is set', claims, { audience: 'chat' }],
    [
      'of another issuer',
      { ...claims, iss: 'https://evil.example.com' },
      { issuer: 'https://site.example.com' },
    ],
    ['without the issuer that is set', claims, { issuer: 'https://site.example.com' }],
  ])('%s is refused', async (_, payload, change) => {
    await expect(verify(signed(payload), change)).rejects.toThrow()
  })

  test('for the organization, by its URL, is taken', async () => {
    expect(await verify(signed({ ...claims, aud: ['other', realm.url] }))).toMatchObject({
      email: claims.email,
    })
  })

  test.each(['', 'x', 'a.b.c', 'e30.e30.', 'x'.repeat(10_000)])(
    'is no other text, such as %j',
    async (text) => {
      await expect(verify(text)).rejects.toThrow()
    },
  )

  test('is the same one with another form of its signature', async () => {
    const change = { algorithm: 'ES256', key: pemOf(ec) }
    const token = await signed(claims, 'ES256', ec.privateKey)
    const [head = '', body = '', signature = ''] = token.split('.')
    const parts = Buffer.from(signature, 'base64url')
    const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
    const other = (order - BigInt(`0x${parts.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0')
    const twin = Buffer.concat([parts.subarray(0, 32), Buffer.from(other, 'hex')]).toString('base64url')
    expect(twin).not.toBe(signature)
    const [first, second] = [await verify(token, change), await verify(`${head}.${body}.${twin}`, change)]
    expect(second.id).toBe(first.id)
  })

  test('is known by its own ID if it has one, in its organization', async () => {
    const ids = [claims, { ...claims, name: 'Ada' }].map(async (payload) => {
      const { id } = await verify(signed({ ...payload, jti: 'one' }))
      return id
    })
    expect(await Promise.all(ids)).toEqual(['7 jti one', '7 jti one'])
  })
})

describe('a key of tokens', () => {
  test.each([
    ['a secret that is too short', { key: 'short' }, 'is shorter than 32 bytes'],
    ['a public key as a secret', { key: pemOf(rsa) }, 'is a key of a pair'],
    ['a secret for a pair', { algorithm: 'RS256' }, 'is no public key (PEM) for RS256'],
    ['a key of another kind', { algorithm: 'ES256', key: pemOf(rsa) }, 'is no public key (PEM) for ES256'],
    [
      'a file that isn’t there',
      { key: { file: '/nowhere/key' } },
      'jwt.0.key can’t be read'.replace('’', "'"),
    ],
  ])('is not %s', async (_, change, message) => {
    await expect(createTokenIssuer(settingsOf(change), 'jwt.0.key')).rejects.toThrow(message)
  })
})
