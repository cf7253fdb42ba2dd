import { expect, test } from 'vitest'
import { createReplyAddresses, createReplyToken } from './reply-addresses.ts'

const { addressOf, tokenIn } = createReplyAddresses('reply+%s@mail.example.com')
const token = createReplyToken()

test('an address for replies has its token, in any case', () => {
  expect(addressOf(token)).toBe(`reply+${token}@mail.example.com`)
  expect(tokenIn(addressOf(token))).toBe(token)
  expect(tokenIn(addressOf(token).toUpperCase())).toBe(token)
})

test.each([
  ['of another domain', `reply+${token}@mail.example.org`],
  ['of a similar domain', `reply+${token}@mailXexample.com`],
  ['with something before it', `x-reply+${token}@mail.example.com`],
  ['with something after it', `reply+${token}@mail.example.com.org`],
  ['whose token is cut', `reply+${token.slice(1)}@mail.example.com`],
  ['without a token', 'reply+%s@mail.example.com'],
])('an address %s is no address for replies', (_, address) => {
  expect(tokenIn(address)).toBeNull()
})

test('no two tokens are the same', () => {
  expect(new Set(Array.from({ length: 100 }, createReplyToken)).size).toBe(100)
})
