import { describe, expect, test } from 'vitest'
import { parseCredentials } from './credentials.rules.ts'

const encode = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`

describe('credentials', () => {
  test.each([
    ['iago@example.com:abc', 'iago@example.com', 'abc'],
    [' iago@example.com : abc ', 'iago@example.com', 'abc'],
    ['a@b.c:x:y', 'a@b.c', 'x:y'],
    ['ü@example.com:abc', 'ü@example.com', 'abc'],
  ])('%j is an e-mail and a key', (text, email, secret) => {
    expect(parseCredentials(encode(text))).toEqual({ email, secret })
    expect(parseCredentials(encode(text).replace('Basic', 'bAsIc'))).toEqual({ email, secret })
  })

  test.each(['Bearer', 'bEARER'])('%s is an API token without an e-mail', (scheme) => {
    expect(parseCredentials(` ${scheme}  tms_abc `)).toEqual({ email: null, secret: 'tms_abc' })
  })

  test.each([
    ['missing', undefined, 'UNAUTHORIZED'],
    ['empty', 'Basic ', 'UNAUTHORIZED'],
    ['not base64', 'Basic !!', 'UNAUTHORIZED'],
    ['without a colon', encode('iago'), 'UNAUTHORIZED'],
    ['not UTF-8', encode(Buffer.from([0xff, 0x3a, 0x61])), 'UNAUTHORIZED'],
    ['of another scheme', 'Digest abc', 'BAD_REQUEST'],
    ['an API key as a bearer', `Bearer ${'k'.repeat(32)}`, 'BAD_REQUEST'],
    ['a bearer of nothing', 'Bearer ', 'BAD_REQUEST'],
    ['blank', ' ', 'BAD_REQUEST'],
  ])('a header that is %s is refused', (_name, header, code) => {
    expect(() => parseCredentials(header)).toThrow(expect.objectContaining({ code }))
  })
})
