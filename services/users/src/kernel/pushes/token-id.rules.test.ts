import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { tokenIdsOf } from './token-id.rules.ts'

const idOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest().subarray(0, 8).toString('base64')

test('an Android token has the ID of its text', () => {
  expect(tokenIdsOf('abc:def', 'fcm')).toEqual([idOf(Buffer.from('abc:def'))])
})

test('an Apple token has the ID of its text or of its bytes, however they are written', () => {
  const bytes = Buffer.from('00ff10a5', 'hex')
  for (const text of [bytes.toString('hex'), bytes.toString('base64')]) {
    expect(tokenIdsOf(text, 'apns')).toContain(idOf(bytes))
    expect(tokenIdsOf(text, 'apns')).toContain(idOf(Buffer.from(text)))
  }
})
