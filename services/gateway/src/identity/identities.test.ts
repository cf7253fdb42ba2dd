import { AppError } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { describe, expect, test } from 'vitest'
import { createIdentities } from './identities.ts'

const caller: Caller = { userId: 1, realmId: 1, role: 400, isBot: false }
const authorization = `Basic ${Buffer.from('a@b.c:key').toString('base64')}`
const connection = {}
const request = { authorization, host: 'localhost', connection, clientIp: '10.0.0.1', requestId: 'r' }

function setUp() {
  const state = {
    time: 1_000_000,
    identifyCalls: 0,
    failures: 0,
    refusesGuessing: false,
    isLeaseValid: true,
    validate: async () => {},
    answer: async (): Promise<Caller> => caller,
    apiToken: null as { scopes: []; expiresAt: number } | null,
  }
  let signed = 0
  const identities = createIdentities({
    externalHost: 'localhost:9991',
    identify: async () => {
      state.identifyCalls++
      return { caller: await state.answer(), mayOnlySendMessages: false, apiToken: state.apiToken }
    },
    lease: { isValid: () => state.isLeaseValid, validate: () => state.validate() },
    signToken: () => `token-${++signed}`,
    limits: {
      refuseGuessing: async () => {
        if (state.refusesGuessing) throw new AppError('RATE_LIMIT_HIT')
      },
      countFailure: async () => void state.failures++,
    },
    metrics: { identityLookedUp: () => {} },
    now: () => state.time,
  })
  const find = async (changes = {}) => identities.find({ ...request, ...changes })
  const forget = (...userIds: number[]) => identities.forget({ userIds, realmIds: [] })
  const forgetRealm = (realmId: number) => identities.forget({ userIds: [], realmIds: [realmId] })
  return { state, find, forget, forgetRealm }
}

const isCode = (code: string) => expect.objectContaining({ code })
const refuse = async () => Promise.reject(new AppError('REALM_DEACTIVATED'))
const beAway = async () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'))

describe('an identity', () => {
  test.each([
    [{ channelIds: [1, 2] }, { channelIds: [1] }],
    [{ channelIds: [1] }, {}],
    [{ keyId: 'one' }, { keyId: 'other' }],
  ])('with %j gets another token when it has %j', async (before, after) => {
    const { state, find } = setUp()
    state.answer = async () => ({ ...caller, ...before })
    const { token } = await find()
    state.answer = async () => ({ ...caller, ...after })
    state.time += 600_000

    expect(await find()).toMatchObject({ caller: { ...caller, ...after } })
    expect((await find()).token).not.toBe(token)
  })

  test('is fetched again within ten minutes without an announcement, and keeps its token', async () => {
    const { state, find } = setUp()
    await find()
    state.time += 449_999
    await find()
    expect(state.identifyCalls).toBe(1)

    state.time += 150_001
    const identity = await find()

    expect(state.identifyCalls).toBe(2)
    expect(identity.token).toBe('token-1')
  })

  test('gets a new token if the role changes or the token gets old', async () => {
    const { state, find } = setUp()
    await find()
    state.answer = async () => ({ ...caller, role: 200 })
    state.time += 600_000
    expect((await find()).token).toBe('token-2')

    state.time += 850_000
    expect((await find()).token).toBe('token-3')
  })

  test('belongs to one organization, under all of its hosts', async () => {
    const { state, find } = setUp()
    await find()
    for (const host of ['LOCALHOST', 'localhost:80', 'localhost.', '10.0.0.9', 'elsewhere.example'])
      await find({ host })
    expect(state.identifyCalls).toBe(1)
    await find({ host: 'other.localhost' })
    await find({ host: 'OTHER.localhost:9991' })
    expect(state.identifyCalls).toBe(2)
  })

  test('is fetched once for all spellings of its credentials', async () => {
    const { state, find } = setUp()
    const encoded = (text: string) => Buffer.from(text).toString('base64')
    await find()
    await find({ authorization: `bAsIc   ${encoded('a@b.c:key')} ` })
    await find({ authorization: `Basic ${encoded(' A@b.C\t:  key ')}` })
    await find({ authorization: `Basic ${encoded('a@b.c:key')}==` })
    expect(state.identifyCalls).toBe(1)

    await find({ authorization: `Basic ${encoded('a@b.c:Key')}` })
    await find({ authorization: `Basic ${encoded('a@b:c:key')}` })
    expect(state.identifyCalls).toBe(3)
  })

  test('stays valid while users is unavailable and the lease is valid', async () => {
    const { state, find } = setUp()
    await find()
    state.answer = beAway
    state.time += 3_600_000
    expect((await find()).caller).toEqual(caller)

    state.isLeaseValid = false
    state.validate = beAway
    await expect(find()).rejects.toEqual(isCode('SERVICE_UNAVAILABLE'))
  })
})

describe('an account that changed', () => {
  test('is fetched again for all of its credentials; others are not', async () => {
    const { state, find, forget } = setUp()
    await find()
    await find({ host: 'other.localhost' })

    forget(2)
    await find()
    expect(state.identifyCalls).toBe(2)
    forget(1)
    state.answer = refuse

    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
    await expect(find({ host: 'other.localhost' })).rejects.toEqual(isCode('UNAUTHORIZED'))
  })

  test('is every account of a changed organization; others are not fetched again', async () => {
    const { state, find, forgetRealm } = setUp()
    await find()

    forgetRealm(caller.realmId + 1)
    await find()
    expect(state.identifyCalls).toBe(1)
    forgetRealm(caller.realmId)
    state.answer = refuse

    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
  })

  test('with its organization during a fetch is fetched again', async () => {
    const { state, find, forgetRealm } = setUp()
    state.answer = async () => {
      state.answer = refuse
      state.time += 1
      forgetRealm(caller.realmId)
      return caller
    }

    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
  })

  test('is refused while users is unavailable', async () => {
    const { state, find, forget } = setUp()
    await find()
    forget(1)
    state.answer = beAway

    await expect(find()).rejects.toEqual(isCode('SERVICE_UNAVAILABLE'))
  })

  test('during a fetch is fetched again, since the answer may be older', async () => {
    const { state, find, forget } = setUp()
    state.answer = async () => {
      state.answer = async () => ({ ...caller, role: 600 })
      state.time += 1
      forget(1)
      return caller
    }

    expect((await find()).caller.role).toBe(600)
    expect((await find()).caller.role).toBe(600)
    expect(state.identifyCalls).toBe(2)
  })

  test('before the lease became valid is fetched again, and no other account is', async () => {
    const { state, find, forget } = setUp()
    await find()
    await find({ host: 'other.localhost' })
    state.isLeaseValid = false
    await Promise.all([find(), find({ host: 'other.localhost' })])
    expect(state.identifyCalls).toBe(2)

    state.validate = async () => forget(1)
    state.answer = refuse
    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
    expect(state.identifyCalls).toBe(3)
  })
})

describe('a refusal', () => {
  test('is not cached if an account changes before or during the fetch', async () => {
    const { state, find, forget } = setUp()
    state.answer = refuse
    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
    forget(1)
    state.answer = async () => {
      state.answer = async () => caller
      state.time += 1
      forget(1)
      return refuse()
    }
    expect((await find()).caller).toEqual(caller)
  })

  test('is UNAUTHORIZED for any reason, is cached for a second, and counts once', async () => {
    const { state, find } = setUp()
    state.answer = refuse

    await expect(Promise.all([find(), find()])).rejects.toEqual(isCode('UNAUTHORIZED'))
    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
    expect([state.identifyCalls, state.failures]).toEqual([1, 1])
    state.time += 1_000
    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))

    expect([state.identifyCalls, state.failures]).toEqual([2, 2])
  })

  test('removes the cached identity', async () => {
    const { state, find } = setUp()
    await find()
    state.answer = refuse
    state.time += 600_000
    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
    state.answer = beAway
    state.time += 1_000
    await expect(find()).rejects.toEqual(isCode('SERVICE_UNAVAILABLE'))
  })

  test('needs no request to users if the address has failed too often, except for cached identities', async () => {
    const { state, find } = setUp()
    await find()
    state.refusesGuessing = true
    state.time += 600_000

    await expect(find({ host: 'other.localhost' })).rejects.toEqual(isCode('RATE_LIMIT_HIT'))
    expect((await find()).caller).toEqual(caller)
    expect(state.identifyCalls).toBe(2)
  })
})

describe('an API token that expires', () => {
  test('is looked up again then, and not used while users is unavailable', async () => {
    const { state, find } = setUp()
    state.apiToken = { scopes: [], expiresAt: state.time + 5_000 }
    expect((await find()).apiToken).toEqual(state.apiToken)
    state.time += 4_999
    await find()
    expect(state.identifyCalls).toBe(1)

    state.time += 1
    state.answer = beAway
    await expect(find()).rejects.toEqual(isCode('SERVICE_UNAVAILABLE'))
    state.answer = refuse
    state.time += 1_000
    await expect(find()).rejects.toEqual(isCode('UNAUTHORIZED'))
  })
})
