import { AppError } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createProvisioners } from './provisioners.ts'

function setUp() {
  const state = { failures: 0, isLimited: false, isKnown: true, asked: [] as string[] }
  const provisioners = createProvisioners({
    identify: async ({ token }) => {
      state.asked.push(token)
      if (!state.isKnown) throw new AppError('AUTHENTICATION_FAILED', { message: 'wrong' })
      return 7
    },
    signToken: ({ realmId }) => `token of ${realmId}`,
    limits: {
      refuseGuessing: async () => {
        if (state.isLimited) throw new AppError('RATE_LIMIT_HIT')
      },
      countFailure: async () => void state.failures++,
    },
  })
  const find = (authorization?: string) =>
    provisioners.find({ authorization, host: 'localhost', clientIp: '10.0.0.1', requestId: 'r' })
  return { state, find }
}

describe('a provisioning system', () => {
  test('is identified by its bearer token for each request', async () => {
    const { state, find } = setUp()
    expect(await find('Bearer abc')).toEqual({ realmId: 7, token: 'token of 7' })
    await find('bearer   abc ')
    expect(state.asked).toEqual(['abc', 'abc'])

    state.isKnown = false
    await expect(find('Bearer abc')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(state.failures).toBe(1)
  })

  test.each([
    ['missing', undefined],
    ['of another scheme', `Basic ${Buffer.from('a@b.c:abc').toString('base64')}`],
    ['without a token', 'Bearer '],
    ['of two words', 'Bearer abc def'],
    ['too long', `Bearer ${'x'.repeat(201)}`],
  ])('is refused, and counted as guessing, if its header is %s', async (_how, header) => {
    const { state, find } = setUp()
    await expect(find(header)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(state).toMatchObject({ failures: 1, asked: [] })
  })

  test('is refused without a question once too many were wrong', async () => {
    const { state, find } = setUp()
    state.isLimited = true
    await expect(find('Bearer abc')).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' })
    expect(state.asked).toEqual([])
  })
})
