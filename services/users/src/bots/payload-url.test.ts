import { describe, expect, test } from 'vitest'
import { checkPayloadUrl } from './payload-url.ts'

const check = (text?: string, allowsPrivate = false) =>
  checkPayloadUrl('payload_url', text, { allowsPrivate })

describe('the URL of an outgoing webhook', () => {
  test.each([
    ['https://example.com/hook?a=1', 'https://example.com/hook?a=1'],
    ['HTTP://Example.COM:8080', 'http://example.com:8080/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://[2001:4860:4860::8888]/', 'https://[2001:4860:4860::8888]/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
  ])('may be %s', (text, url) => {
    expect(check(text)).toBe(url)
  })

  test.each([undefined, '', '  '])('must not be missing: %j', (text) => {
    expect(() => check(text)).toThrow('payload_url is missing: an outgoing webhook needs a URL to call')
  })

  test.each(['example.com', 'ftp://example.com', 'javascript:alert(1)', 'file:///etc/passwd', 'https://'])(
    'must not be %s',
    (text) => {
      expect(() => check(text)).toThrow('payload_url must be an http or https URL')
    },
  )

  test('has a maximum length', () => {
    expect(() => check(`https://example.com/${'x'.repeat(2_000)}`)).toThrow('at most 2000 characters')
  })

  const PRIVATE = [
    'http://localhost:9991/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[::ffff:0:7f00:1]/',
    'http://[2001:0:7f00:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://192.88.99.1/',
    'http://[100::1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://redis:6379/',
    'http://metadata.google.internal/',
    'http://messaging.default.svc.cluster.local/',
    'http://printer.local./',
  ]
  test.each(PRIVATE)('must not be %s', (text) => {
    expect(() => check(text)).toThrow('payload_url must not lead to a local or private address')
  })

  test.each(PRIVATE)('may be %s if private addresses are allowed', (text) => {
    expect(check(text, true)).toBe(new URL(text).href)
  })
})
