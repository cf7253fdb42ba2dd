import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createInternalToken } from './internal-token.ts'

test('an internal token is a JWT that the public key verifies and that expires after a minute', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  const token = createInternalToken(pem, 1_700_000_000_999)

  const [header = '', claims = '', signature = ''] = token.split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown
  expect(decode(header)).toEqual({ alg: 'ES256', typ: 'JWT' })
  expect(decode(claims)).toEqual({
    iss: 'local-system',
    aud: 'internal',
    iat: 1_700_000_000,
    exp: 1_700_000_060,
  })
  const isValid = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isValid).toBe(true)
})
