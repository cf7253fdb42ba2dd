import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SignatureScheme } from '../kernel/integration.ts'
import { hmacAmong, hmacOfBody, hmacWithTime } from './signatures.ts'

const body = Buffer.from('{"a":1}')
const secret = 's3cret'
const now = new Date('2026-03-01T00:00:00Z')
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
const right = hmac('{"a":1}')
const isRight = ({ verify }: SignatureScheme, header: string) => verify({ header, body, secret, now })

describe('a signature is right if it is', () => {
  test('of the body, after its prefix', () => {
    expect(isRight(hmacOfBody('x'), right)).toBe(true)
    expect(isRight(hmacOfBody('x', 'sha256='), `sha256=${right}`)).toBe(true)
    expect(isRight(hmacOfBody('x', 'sha256='), right)).toBe(false)
    expect(isRight(hmacOfBody('x'), hmac('{"a":2}'))).toBe(false)
    expect(isRight(hmacOfBody('x'), '')).toBe(false)
  })

  test('one of a list, as while a secret is being changed', () => {
    const scheme = hmacAmong('x', 'v1')
    expect(isRight(scheme, `v1=${right}`)).toBe(true)
    expect(isRight(scheme, `v1=${hmac('')}, v1=${right}`)).toBe(true)
    expect(isRight(scheme, `v0=${right}`)).toBe(false)
    expect(isRight(scheme, right)).toBe(false)
  })

  test('of the time and the body, and the time is at most five minutes off', () => {
    const scheme = hmacWithTime('x')
    const signed = (seconds: number) => `t=${seconds},v1=${hmac(`${seconds}.{"a":1}`)},v0=${right}`
    const present = now.getTime() / 1000
    for (const seconds of [present, present - 300, present + 300])
      expect(isRight(scheme, signed(seconds))).toBe(true)
    for (const seconds of [present - 301, present + 301, Number.NaN])
      expect(isRight(scheme, signed(seconds))).toBe(false)
    expect(isRight(scheme, signed(present).replace('t=', 't=1'))).toBe(false)
    expect(isRight(scheme, `v1=${right}`)).toBe(false)
    expect(isRight(scheme, `t=${present}`)).toBe(false)
  })
})
