import { describe, expect, test } from 'vitest'
import { parseBasicCredentials } from './basic-credentials.rules.ts'

const encode = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`

describe('credentials', () => {
  test.each([
    ['iago@example.com:abc', 'iago@example.com', 'abc'],
    [' iago@example.com : abc ', 'iago@example.com', 'abc'],
    ['a@b.c:x:y', 'a@b.c', 'x:y'],
    ['ü@example.com:abc', 'ü@example.com', 'abc'],
  ])('%j is an e-mail and a key', (text, email, apiKey) => {
    expect(parseBasicCredentials(encode(text))).toEqual({ email, apiKey })
    expect(parseBasicCredentials(encode(text).replace('Basic', 'bAsIc'))).toEqual({ email, apiKey })
  })

  test.each([
    ['missing', undefined, 'UNAUTHORIZED'],
    ['empty', 'Basic ', 'UNAUTHORIZED'],
    ['not base64', 'Basic !!', 'UNAUTHORIZED'],
    ['without a colon', encode('iago'), 'UNAUTHORIZED'],
    ['not UTF-8', encode(Buffer.from([0xff, 0x3a, 0x61])), 'UNAUTHORIZED'],
    ['of another scheme', 'Digest abc', 'BAD_REQUEST'],
    ['blank', ' ', 'BAD_REQUEST'],
  ])('a header that is %s is refused', (_name, header, code) => {
    expect(() => parseBasicCredentials(header)).toThrow(expect.objectContaining({ code }))
  })
})
