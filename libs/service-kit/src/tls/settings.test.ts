import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseEnvironment } from '../validation/parse-environment.ts'
import { clientTlsOf, expiryOf, serverTlsOf, tlsVariables, withPublicAuthorities } from './settings.ts'

const schema = z.object(tlsVariables)
const [one = '', other = ''] = rootCertificates
const { privateKey: key } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const read = (variables: Record<string, string>) => parseEnvironment(schema, variables)

describe('connections to servers', () => {
  test('trust the public authorities by default', () => {
    expect(clientTlsOf(read({}))).toEqual({})
    expect(clientTlsOf(read({ TLS_CA: '', TLS_KEY: '' }))).toEqual({})
    expect(withPublicAuthorities({})).toEqual({})
  })

  test('trust only the configured authorities, of which there may be several', () => {
    const tls = clientTlsOf(read({ TLS_CA: `${one}\n${other}`.replaceAll('\n', '\\n') }))

    expect(tls).toEqual({ ca: [one, other].map((pem) => pem.trim()) })
    expect(withPublicAuthorities(tls).ca).toEqual([...rootCertificates, ...(tls.ca ?? [])])
  })

  test('need both a certificate and its key, or neither', () => {
    expect(clientTlsOf(read({ TLS_CERTIFICATE: one, TLS_KEY: key }))).toEqual({ cert: one, key })
    expect(() => read({ TLS_CERTIFICATE: one })).toThrow('TLS_CERTIFICATE needs TLS_KEY')
    expect(() => read({ TLS_KEY: key })).toThrow('TLS_KEY needs TLS_CERTIFICATE')
  })

  test.each(['TLS_CA', 'TLS_CERTIFICATE', 'TLS_KEY'])('reject anything else as %s', (name) => {
    expect(() => read({ [name]: 'x' })).toThrow(`${name} is not a`)
    expect(() => read({ [name]: one.slice(0, 200) })).toThrow(`${name} is not a`)
  })
})

test('certificates expire with the first of them', () => {
  const ends = [one, other].map((pem) => Date.parse(new X509Certificate(pem).validTo) / 1000)

  expect(ends[0]).toBeGreaterThan(Date.now() / 1000)
  expect(expiryOf(one)).toBe(ends[0])
  expect(expiryOf(`${one}\n${other}`)).toBe(Math.min(...ends))
})

test('a service that serves TLS needs a certificate', () => {
  expect(serverTlsOf(read({ TLS_CERTIFICATE: one, TLS_KEY: key }))).toBeNull()
  expect(serverTlsOf(read({ SERVE_TLS: 'true', TLS_CERTIFICATE: one, TLS_KEY: key }))).toEqual({
    cert: one,
    key,
  })
  expect(() => read({ SERVE_TLS: 'true' })).toThrow('SERVE_TLS needs TLS_CERTIFICATE and TLS_KEY')
})
