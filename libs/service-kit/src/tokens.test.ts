import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { privateKey, publicKeys } from './config.ts'
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

describe('a key that is replaced', () => {
  test('and the one that replaces it both count while both are known', () => {
    const [old, fresh] = [newKeys(), newKeys()]
    const verifyUser = createUserTokenVerifier(old.publicKey + fresh.publicKey)
    const verifyInternal = createInternalTokenVerifier(fresh.publicKey + old.publicKey)

    for (const keys of [old, fresh]) {
      expect(verifyUser(createUserTokenSigner(keys.privateKey)(caller))).toEqual(caller)
      verifyInternal(createInternalTokenSource('users', keys.privateKey)())
    }
  })

  test('counts no longer once it is taken away', () => {
    const [old, fresh] = [newKeys(), newKeys()]

    expect(() =>
      createUserTokenVerifier(fresh.publicKey)(createUserTokenSigner(old.privateKey)(caller)),
    ).toThrow(refusal)
  })

  test('does not let a token of one kind pass as one of the other', () => {
    const keys = newKeys()
    const internal = createInternalTokenSource('users', keys.privateKey)()

    expect(() => createUserTokenVerifier(keys.publicKey)(internal)).toThrow(refusal)
  })
})

describe('a variable with keys', () => {
  const { publicKey, privateKey: secret } = newKeys()

  test('may have its line breaks written out', () => {
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
