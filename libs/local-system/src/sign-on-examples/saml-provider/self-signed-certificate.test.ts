import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'

test('a self-signed certificate is one for its own key, for ten years', () => {
  const { privateKey, certificate } = createSelfSignedCertificate('Example', new Date('2030-01-02T03:04:05Z'))
  const read = new X509Certificate(certificate)
  expect(read.subject).toBe('CN=Example')
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
  expect(read.validFromDate).toEqual(new Date('2030-01-02T03:04:05Z'))
  expect(read.validToDate).toEqual(new Date('2040-01-02T03:04:05Z'))
})
