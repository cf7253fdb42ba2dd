import { createHmac, generateKeyPairSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { describe, expect, test } from 'vitest'
import { privateKey, publicKeys } from './keys.ts'
import {
  createInternalTokenSource,
  createInternalTokenVerifier,
  createUserTokenSigner,
  createUserTokenVerifier,
} from './tokens.ts'

function newKeys(namedCurve = 'P-256') {
  return generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

const caller = { userId: 7, realmId: 2, role: 400, isBot: false }
const refusal = expect.objectContaining({ code: 'UNAUTHORIZED' })

describe('a replaced key', () => {
  test('is valid together with its replacement while both are configured', () => {
    const [old, fresh] = [newKeys(), newKeys()]
    const verifyUser = createUserTokenVerifier(old.publicKey + fresh.publicKey)
    const verifyInternal = createInternalTokenVerifier(fresh.publicKey + old.publicKey)

    for (const keys of [old, fresh]) {
      expect(verifyUser(createUserTokenSigner(keys.privateKey)(caller))).toEqual(caller)
      verifyInternal(createInternalTokenSource('users', keys.privateKey)())
    }
  })

  test('is invalid once it is removed', () => {
    const [old, fresh] = [newKeys(), newKeys()]

    expect(() =>
      createUserTokenVerifier(fresh.publicKey)(createUserTokenSigner(old.privateKey)(caller)),
    ).toThrow(refusal)
  })

  test('does not accept a token of one kind as one of the other', () => {
    const keys = newKeys()
    const internal = createInternalTokenSource('users', keys.privateKey)()

    expect(() => createUserTokenVerifier(keys.publicKey)(internal)).toThrow(refusal)
  })
})

test('a token identifies the caller: a user, a spectator of an organization, or nobody', () => {
  const keys = newKeys()
  const [sign, verify] = [createUserTokenSigner(keys.privateKey), createUserTokenVerifier(keys.publicKey)]

  const byToken = { ...caller, tokenId: 12 }
  const limited = { ...byToken, channelIds: [3, 5] }
  for (const one of [
    caller,
    { ...caller, isBot: true },
    { ...caller, keyId: 'which of its keys' },
    byToken,
    limited,
    { userId: null, realmId: 2 },
    null,
  ])
    expect(verify(sign(one))).toEqual(one)
})

test('a caller with an API token has a token of another audience, which nobody accepts who ignores its limits', () => {
  const keys = newKeys()
  const signed = createUserTokenSigner(keys.privateKey)({ ...caller, tokenId: 12 })

  expect(jwt.decode(signed)).toMatchObject({ aud: 'service-limited' })
})

test('a caller whose API token is limited to channels has a third audience, and reaches nothing without a list of channels', () => {
  const { privateKey, publicKey } = newKeys()
  const limited = { ...caller, tokenId: 12, channelIds: [3] }
  const options = { algorithm: 'ES256', audience: 'service-channels', issuer: 'gateway' } as const
  const withoutList = jwt.sign({ realm: 1, role: 400, sub: '7', token: 12 }, privateKey, options)

  expect(jwt.decode(createUserTokenSigner(privateKey)(limited))).toMatchObject({ aud: 'service-channels' })
  expect(createUserTokenVerifier(publicKey)(withoutList)).toMatchObject({ userId: 7, channelIds: [] })
})

describe('a forged token', () => {
  const { publicKey, privateKey: own } = newKeys()
  const claims = { realm: 1, role: 100, sub: '7' }
  const forge = (options: jwt.SignOptions, key: jwt.Secret = own) =>
    jwt.sign(claims, key, { algorithm: 'ES256', audience: 'service', issuer: 'gateway', ...options })

  test.each([
    ['without a signature', () => forge({ algorithm: 'none' }, '')],
    ['signed with the public key as a secret', () => signedBy(publicKey)],
    ['for another audience', () => forge({ audience: 'internal' })],
    ['that has expired', () => forge({ expiresIn: -1 })],
    ['by another key', () => forge({}, newKeys().privateKey)],
    ['that is no token', () => 'a.b.c'],
  ])('is invalid: one %s', (_, make) => {
    expect(() => createUserTokenVerifier(publicKey)(make())).toThrow(refusal)
    expect(createUserTokenVerifier(publicKey)(forge({}))).toMatchObject({ userId: 7 })
  })

  /** Made manually: the library refuses to do this. */
  function signedBy(secret: string): string {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const expires = Math.ceil(Date.now() / 1000) + 60
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...claims, aud: 'service', exp: expires })}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
})

describe('a variable with keys', () => {
  const { publicKey, privateKey: secret } = newKeys()

  test('may have escaped line breaks', () => {
    expect(publicKeys.parse(publicKey.replaceAll('\n', '\\n'))).toBe(publicKey)
  })

  test.each([
    ['nothing', ''],
    ['a private key', secret],
    ['a key of another curve', newKeys('P-384').publicKey],
    ['something cut off', publicKey.slice(0, 60)],
  ])('is no public key when it is %s', (_, text) => {
    expect(publicKeys.safeParse(text).success).toBe(false)
  })

  test('is no private key when it is a public one', () => {
    expect(privateKey.safeParse(publicKey).success).toBe(false)
    expect(privateKey.safeParse(secret).success).toBe(true)
  })
})
