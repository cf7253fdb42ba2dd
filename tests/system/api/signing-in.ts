import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { expectSignIn } from '../support/audit-entries.ts'
import { mailsTo, waitForMail } from '../support/mails.ts'

const { devFetchApiKey, devListUsers, fetchApiKey, getOwnUser, regenerateApiKey, updateSettings } =
  endpoints.users

export const signingInTests = (system: () => TestSystem): void => {
  const newUser = () => system().createUser(undefined, { hasPassword: true })
  const passwordOf = ({ email }: { email: string }) => `password of ${email}`
  const signIn = (user: { email: string }, options = {}) =>
    system().anonymous.send(fetchApiKey, { username: user.email, password: passwordOf(user) }, options)

  describe('POST /fetch_api_key', () => {
    test('counts concurrent wrong passwords like any others', async () => {
      const user = await newUser()
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          system().anonymous.send(fetchApiKey, { username: user.email, password: 'wrong' }),
        ),
      )

      const codes = answers.map(({ body }) => body['code'])
      expect(codes.filter((code) => code === 'AUTHENTICATION_FAILED')).toHaveLength(5)
      expect(codes.filter((code) => code === 'RATE_LIMIT_HIT')).toHaveLength(7)
      const refused = await signIn(user)
      expect(refused).toMatchObject(refusal('RATE_LIMIT_HIT', { 'retry-after': expect.any(Number) }, 429))
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_700)
    })

    test('resets the count after the right password', async () => {
      const user = await newUser()
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 4; i++)
          await system().anonymous.send(fetchApiKey, { username: user.email, password: 'wrong' })
        expect(await signIn(user)).toMatchObject(success())
      }
    })

    test('explains with every 401 how to authenticate', async () => {
      const answer = await system().anonymous.send(fetchApiKey, {
        username: 'nobody@example.com',
        password: 'x',
      })

      expect(answer).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    })

    test('answers sign-ins in time under high load, and counts only checked passwords', async () => {
      const users = [await newUser(), await newUser()]
      const signIns = Array.from({ length: 150 }, (_, i) =>
        system().anonymous.send(fetchApiKey, { username: `crowd.${i}@example.com`, password: 'x' }),
      )
      const amid = await Promise.all(
        Array.from({ length: 5 }, () => users.map((user) => signIn(user))).flat(),
      )
      const codes = new Set((await Promise.all(signIns)).map(({ status }) => status))

      expect([...codes].filter((status) => ![401, 503].includes(status))).toEqual([])
      expect(amid.filter(({ status }) => ![200, 503, 429].includes(status))).toEqual([])
      // A user who was rejected under load has lost no attempt.
      for (const user of users) expect(await signIn(user)).toMatchObject(success())
    })

    test('sends a mail, unless the account is new or its owner disabled it', async () => {
      const [notified, silent, fresh] = [await newUser(), await newUser(), await newUser()]
      await silent.call(updateSettings, { enable_login_emails: false })
      await makeOld([notified.userId, silent.userId])
      for (const user of [silent, fresh, notified]) {
        expect(await signIn(user, { headers: { 'user-agent': 'FancyApp/2.0' } })).toMatchObject(success())
      }

      const { text } = await waitForMail(system(), notified.email, 'New sign-in to Team Messaging')
      expect(text).toContain('FancyApp/2.0')
      expect(text).toContain('127.0.0.1')
      expect(await mailsTo(system(), silent.email)).toEqual([])
      expect(await mailsTo(system(), fresh.email)).toEqual([])
    })

    test('mails once more when the link in such a mail turns them off', async () => {
      const user = await newUser()
      await makeOld([user.userId])
      await signIn(user)
      const { text } = await waitForMail(system(), user.email, 'New sign-in to Team Messaging')
      const link = /https?:\S+\/unsubscribe\/login\/[\w-]+/.exec(text ?? '')?.[0] ?? ''
      const unsubscribe = () => system().anonymous.fetch(new URL(link).pathname, { method: 'POST' })
      expect((await unsubscribe()).status).toBe(200)

      const last = await waitForMail(system(), user.email, 'No more mails about sign-ins')
      expect(last.text).toContain('turned off by the link')
      await unsubscribe()
      await signIn(user)
      expect(await mailsTo(system(), user.email)).toHaveLength(2)
    })

    /** As if they had been created an hour ago. */
    const makeOld = async (ids: number[]) => {
      const db = createPool(system().system.databaseUrls.users, 1, createLog('tests', 'silent'))
      await db.query(`update accounts set date_joined = now() - interval '1 hour' where id = any ($1)`, [ids])
      await db.end()
    }
  })

  describe('POST /users/me/api_key/regenerate', () => {
    test('returns a new key, and rejects the old one', async () => {
      const user = await newUser()
      await user.call(getOwnUser, {})
      const { api_key } = await user.call(regenerateApiKey, {})
      const renewed = new ApiClient(system().baseUrl, {
        ...(user.account as NonNullable<typeof user.account>),
        apiKey: api_key,
      })

      expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/)
      expect(await renewed.send(getOwnUser, {})).toMatchObject(success({ user_id: user.userId }))
      expect(await user.send(getOwnUser, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
      expect((await signIn(user)).body['api_key']).toBe(api_key)
    })

    test('leaves one valid key after two concurrent requests', async () => {
      const user = await newUser()
      const keys = (await Promise.all([1, 2, 3].map(() => user.send(regenerateApiKey, {})))).map(
        ({ body }) => body['api_key'],
      )

      const { body } = await signIn(user)
      expect(keys.filter((key) => key === body['api_key'])).toHaveLength(1)
    })
  })

  describe('on a server for development', () => {
    test('lists accounts, and returns the key of any account, to anyone', async () => {
      const user = await newUser()
      const { direct_admins, direct_users } = await system().anonymous.call(devListUsers, {})
      const realmUrls = { realm_url: system().baseUrl, realm_uri: system().baseUrl }

      expect(direct_admins).toContainEqual({ email: system().owner.email, ...realmUrls })
      expect(direct_users).toContainEqual({ email: user.email, ...realmUrls })
      expect(
        await system().anonymous.send(devFetchApiKey, { username: user.email.toUpperCase() }),
      ).toMatchObject(success({ api_key: user.account?.apiKey, email: user.email, user_id: user.userId }))
      await expectSignIn(system().owner, {
        ...{ user, method: 'development', grants: 'api_key', address: expect.any(String) },
      })
      for (const username of ['nobody@example.com', '', 'notification-bot@localhost']) {
        expect(await system().anonymous.send(devFetchApiKey, { username })).toMatchObject(
          refusal('AUTHENTICATION_FAILED', {}, 401),
        )
      }
    })
  })
}
