import { describe, expect, test } from 'vitest'
import { buildAddress, decodeAgain, setupFor } from './address.ts'

describe('the address of an integration', () => {
  test('names key, channel and topic', () => {
    const parameters = { apiKey: 'abc', stream: '12', topic: 'disks & more' }

    expect(buildAddress('https://chat.example.com', { name: 'json' }, parameters)).toBe(
      'https://chat.example.com/api/v1/external/json?api_key=abc&stream=12&topic=disks+%26+more',
    )
  })

  test('leaves out what is not given', () => {
    const parameters = { apiKey: 'abc', stream: null, topic: null }

    expect(buildAddress('http://localhost', { name: 'json' }, parameters)).toBe(
      'http://localhost/api/v1/external/json?api_key=abc',
    )
  })

  test('stands wherever the setup of the program has it', () => {
    expect(setupFor({ setup: 'First {url}, then `{url}`.' }, 'http://a?b=$&')).toBe(
      'First http://a?b=$&, then `http://a?b=$&`.',
    )
  })

  test.each([
    ['a%20b', 'a b'],
    ['100%', '100%'],
    ['a+b', 'a+b'],
  ])('is decoded once more for programs that encode it: %s', (text, decoded) => {
    expect(decodeAgain({ encodesAddressAgain: true }, text)).toBe(decoded)
    expect(decodeAgain({ encodesAddressAgain: false }, text)).toBe(text)
  })
})
