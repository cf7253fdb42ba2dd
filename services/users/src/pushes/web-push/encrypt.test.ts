import { expect, test } from 'vitest'
import { encryptPush, MAX_TEXT_BYTES, topicOf } from './encrypt.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
const keys = {
  p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
}

test('a push is encrypted as in the example of RFC 8291', () => {
  const body = encryptPush('When I grow up, I want to be a watermelon', keys, {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  })
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('the longest text makes a body of 4 KiB', () => {
  expect(encryptPush('x'.repeat(MAX_TEXT_BYTES), keys)).toHaveLength(4_096)
})

test('no two pushes are encrypted alike', () => {
  expect(encryptPush('x', keys).equals(encryptPush('x', keys))).toBe(false)
})

test('topics are short and say nothing', () => {
  expect(topicOf('a conversation')).toMatch(/^[\w-]{32}$/)
  expect(topicOf('a conversation')).not.toBe(topicOf('another'))
})
