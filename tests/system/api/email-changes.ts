import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type Account, ApiClient, EventQueue, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountEventsOf } from '../support/account-events.ts'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { mailsTo, waitForMail } from '../support/mails.ts'
import { until } from '../support/until.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const { deactivateUser, fetchApiKey, getOwnUser, getUserByEmail, reactivateUser } = endpoints.users
const { updateSettings, updateUser, updateUserByEmail } = endpoints.users
const { updateRealm } = endpoints.realm
const DAY_SECONDS = 86_400
let addresses = 0
/** The text of a page, by its status. */
const outcomes: Readonly<Record<number, string>> = {
  200: 'changed',
  400: 'invalid',
  403: 'refused',
  404: 'invalid',
  409: 'taken',
}

export const emailChangeTests = (system: () => TestSystem): void => {
  let db: Pool
  beforeAll(() => {
    db = createPool(system().system.databaseUrls.users, 1, createLog('test', 'silent'))
  })
  afterAll(() => db.end())

  const newUser = async () => (await newUsers(system(), 1))[0]
  const newAddress = () => `moved.${++addresses}@example.org`
  const request = (client: ApiClient, email: string) => client.send(updateSettings, { email })
  /** Follows the link of a key, as a browser does. */
  const open = async (key: string) => {
    const url = `${system().baseUrl}/accounts/confirm_new_email/${encodeURIComponent(key)}`
    const answer = await fetch(url)
    return { kind: outcomes[answer.status], page: await answer.text() }
  }
  /** The key of the newest link that was mailed to an address. */
  const keyFor = async (address: string): Promise<string> => {
    const { text = '' } = await waitForMail(system(), address, 'Confirm')
    return /\/accounts\/confirm_new_email\/([A-Za-z0-9]{24})\b/.exec(text)?.[1] ?? ''
  }
  const deliveryEmailOf = async (client: ApiClient) => (await client.call(getOwnUser, {})).delivery_email
  const signIn = (username: string, { email }: ApiClient) =>
    system().anonymous.send(fetchApiKey, { username, password: `password of ${email}` })
  /** Makes the requests of an account older than they are. */
  const letPass = (client: ApiClient, seconds: number) =>
    db.query(
      `update email_changes set requested_at = requested_at - $2 * interval '1 s' where account_id = $1`,
      [client.userId, seconds],
    )

  describe('a change of e-mail address by an administrator', () => {
    const allow = (user: ApiClient) =>
      db.query('update accounts set can_change_user_emails = true where id = $1', [user.userId])
    const change = (actor: ApiClient, user: ApiClient, new_email: string) =>
      actor.send(updateUser, { user_id: user.userId, new_email })

    test('is in force at once, for administrators who have that right', async () => {
      const administrator = await newUserOfRole(system(), Role.administrator)
      const [user, other] = await newUsers(system(), 2, { hasPassword: true })
      const watcher = await watch(other, { event_types: ['alert_words', 'realm_user'] })
      const address = newAddress()
      expect(await change(administrator, user, address)).toMatchObject(refusal('BAD_REQUEST'))
      await allow(administrator)

      const [delivered] = await accountEventsOf([watcher], async () => {
        expect(
          await administrator.send(updateUserByEmail, { email: user.email, new_email: address }),
        ).toMatchObject(success())
      })

      const people = (delivered ?? []).map(({ person }) => person as Record<string, unknown>)
      expect(people).toContainEqual(
        expect.objectContaining({ user_id: user.userId, delivery_email: address }),
      )
      expect(people).toContainEqual(expect.objectContaining({ user_id: user.userId, new_email: address }))
      const { user: found } = await administrator.call(getUserByEmail, { email: address })
      expect(found).toMatchObject({ user_id: user.userId, email: address, delivery_email: address })
      expect(await signIn(address, user)).toMatchObject(success())
      expect((await waitForMail(system(), user.email, 'has changed')).text).toContain(address)
      await stopWatching([watcher])
    })

    test('is rejected for other users, of owners by others, of bots, and for addresses that cannot be used', async () => {
      const administrator = await newUserOfRole(system(), Role.administrator)
      const [moderator, owner] = [
        await newUserOfRole(system(), Role.moderator),
        await newUserOfRole(system(), Role.owner),
      ]
      const [user, other] = await newUsers(system(), 2)
      for (const actor of [administrator, moderator, user]) await allow(actor)
      const bot = await newBotOf(administrator)

      for (const [actor, target, address] of [
        [moderator, user, newAddress()],
        [user, other, newAddress()],
        [administrator, owner, newAddress()],
        [administrator, bot, newAddress()],
        [administrator, user, other.email.toUpperCase()],
        [administrator, user, 'nowhere'],
        [administrator, user, ''],
      ] as const)
        expect(await change(actor, target, address)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await deliveryEmailOf(user)).toBe(user.email)
    })

    test('to one address of two users at once succeeds once', async () => {
      const administrator = await newUserOfRole(system(), Role.administrator)
      await allow(administrator)
      const users = await newUsers(system(), 2)
      const address = newAddress()

      const answers = await Promise.all(users.map((user) => change(administrator, user, address)))

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    })
  })

  describe('a change of e-mail address', () => {
    test('takes effect once its link is opened, and the old address gets a mail', async () => {
      const [ann, ben] = await newUsers(system(), 2, { hasPassword: true })
      const address = newAddress()
      const bensWatcher = await watch(ben, { event_types: ['alert_words', 'realm_user'] })
      const { state } = await registerQueue(ann, { event_types: ['realm_user'] })

      const before = await accountEventsOf([bensWatcher], async () => {
        expect(await request(ann, ` ${address} `)).toMatchObject(success())
      })
      const mail = await waitForMail(system(), address, 'Confirm')
      const key = await keyFor(address)

      expect(before).toEqual([[]])
      expect(mail.text).toContain(`${system().baseUrl}/accounts/confirm_new_email/${key}`)
      expect(await deliveryEmailOf(ann)).toBe(ann.email)
      expect(await signIn(ann.email, ann)).toMatchObject(success())
      expect(await signIn(address, ann)).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))

      const [bens] = await accountEventsOf([bensWatcher], async () => {
        expect(await open(key)).toMatchObject({ kind: 'changed', page: expect.stringContaining(address) })
      })
      // The address that she signed in with belongs to nobody any more.
      const anew = new ApiClient(system().baseUrl, { ...(ann.account as Account), email: address })
      const own = new EventQueue(anew, state)
      await own.until(() => own.events.length >= 3, 'her own three events')

      const user_id = ann.userId
      const avatar = { user_id, avatar_source: 'G', avatar_url: expect.stringContaining('gravatar') }
      const persons = [avatar, { user_id, new_email: address }]
      expect(own.events.map(({ person }) => person)).toMatchObject([
        { user_id, delivery_email: address },
        ...persons,
      ])
      expect(bens).toEqual(own.events.map((event) => ({ ...event, id: expect.any(Number) })))
      expect(await signIn(address, ann)).toMatchObject(success({ email: address, user_id }))
      expect(await signIn(ann.email, ann)).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
      expect((await waitForMail(system(), ann.email, 'has changed')).text).toContain(address)
      await own.stop()
      await stopWatching([bensWatcher])
    })

    test('of a hidden address is delivered to users who can see it, and does not change the API e-mail', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const address = newAddress()
      await ann.call(updateSettings, { email_address_visibility: 3 })
      const { email: apiEmail } = await ann.call(getOwnUser, {})
      const watchers = await Promise.all(
        [system().owner, ben].map((client) => watch(client, { event_types: ['alert_words', 'realm_user'] })),
      )

      const [owners, bens] = await accountEventsOf(watchers, async () => {
        await request(ann, address)
        await open(await keyFor(address))
      })

      const avatar = { avatar_source: 'G' }
      expect(owners?.map(({ person }) => person)).toMatchObject([{ delivery_email: address }, avatar])
      expect(bens?.map(({ person }) => person)).toMatchObject([avatar])
      const { user } = await ben.call(endpoints.users.getUser, { user_id: ann.userId })
      expect(user.email).toBe(apiEmail)
      await stopWatching(watchers)
    })

    test('may differ only in case', async () => {
      const ann = await newUser()
      const address = ann.email.toUpperCase()

      await request(ann, address)

      expect(await open(await keyFor(address))).toMatchObject({
        kind: 'changed',
        page: expect.stringContaining(address),
      })
    })

    test('to the present address is not a request', async () => {
      const ann = await newUser()

      for (let turn = 0; turn < 4; turn++) expect(await request(ann, ann.email)).toMatchObject(success())

      expect(await mailsTo(system(), ann.email)).toEqual([])
    })

    test.each<[string, () => string]>([
      ['what is no address', () => 'ann'],
      ['an empty one', () => ''],
      ['one of 300 characters', () => `${'x'.repeat(60)}@${'x.'.repeat(120)}example.org`],
      ['one with a line break', () => 'ann@example.org\nbcc: all@example.org'],
      ['one in use', () => system().owner.email.toUpperCase()],
    ])('rejects %s, and changes nothing else', async (_, address) => {
      const ann = await newUser()
      const { full_name } = await ann.call(getOwnUser, {})

      const answer = await ann.send(updateSettings, { email: address(), full_name: 'Half Done' })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect((await ann.call(getOwnUser, {})).full_name).toBe(full_name)
    })

    test('rejects the API e-mail of another user', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      await ben.call(updateSettings, { email_address_visibility: 4 })
      const { email } = await ben.call(getOwnUser, {})

      expect(await request(ann, email)).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('a confirmation link', () => {
    test('works once', async () => {
      const ann = await newUser()
      const address = newAddress()
      await request(ann, address)
      const key = await keyFor(address)

      const opened = await Promise.all([open(key), open(key), open(key)])

      expect(opened.map(({ kind }) => kind ?? '').sort()).toEqual(['changed', 'invalid', 'invalid'])
      expect(await open(key)).toMatchObject({ kind: 'invalid' })
    })

    test('is void once a later one is sent', async () => {
      const ann = await newUser()
      const [first, second] = [newAddress(), newAddress()]
      await request(ann, first)
      await request(ann, second)

      expect(await open(await keyFor(first))).toMatchObject({ kind: 'invalid' })
      expect(await open(await keyFor(second))).toMatchObject({
        kind: 'changed',
        page: expect.stringContaining(second),
      })
    })

    test('is void after a day', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const [late, timely] = [newAddress(), newAddress()]
      await request(ann, late)
      await request(ben, timely)
      await letPass(ann, DAY_SECONDS + 1)
      await letPass(ben, DAY_SECONDS - 60)

      expect(await open(await keyFor(late))).toMatchObject({ kind: 'invalid' })
      expect(await open(await keyFor(timely))).toMatchObject({ kind: 'changed' })
    })

    test.each(['x', 'A'.repeat(24), 'A'.repeat(25), '\0'.repeat(24), 'ä'.repeat(24), "' or true; --"])(
      'rejects %j',
      async (key) => {
        expect(await open(key)).toMatchObject({ kind: 'invalid' })
      },
    )

    test('of two for the same address, opened at once, changes one account', async () => {
      const members = await newUsers(system(), 4, { hasPassword: true })
      const address = newAddress()
      for (const person of members) expect(await request(person, address)).toMatchObject(success())
      await until(async () => (await mailsTo(system(), address)).length === members.length)
      const keys = (await mailsTo(system(), address)).map(
        ({ text }) => /confirm_new_email\/(\w{24})/.exec(text ?? '')?.[1] ?? '',
      )

      const opened = await Promise.all(keys.map(open))

      expect(opened.map(({ kind }) => kind ?? '').sort()).toEqual(['changed', 'taken', 'taken', 'taken'])
      const signedIn = await Promise.all(
        members.map(({ email }) =>
          system().anonymous.send(fetchApiKey, { username: address, password: `password of ${email}` }),
        ),
      )
      expect(signedIn.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('of a deactivated account changes nothing', async () => {
      const ann = await newUser()
      const address = newAddress()
      await request(ann, address)
      const key = await keyFor(address)
      await db.query('update accounts set is_active = false where id = $1', [ann.userId])

      expect(await open(key)).toMatchObject({ kind: 'refused' })

      await db.query('update accounts set is_active = true where id = $1', [ann.userId])
      expect(await open(key)).toMatchObject({ kind: 'changed' })
    })
  })

  test('a link is void after its account was deactivated, even when it is reactivated', async () => {
    const [ann, address] = [await newUser(), newAddress()]
    await request(ann, address)
    const key = await keyFor(address)
    await system().owner.call(deactivateUser, { user_id: ann.userId })
    await system().owner.call(reactivateUser, { user_id: ann.userId })

    expect(await open(key)).toMatchObject({ kind: 'invalid' })
  })

  describe('requests for address changes', () => {
    test('are limited to two an hour, and five a day', async () => {
      const ann = await newUser()
      const limited = { 'retry-after': expect.any(Number) }
      const two = async () => {
        for (let turn = 0; turn < 2; turn++) expect(await request(ann, newAddress())).toMatchObject(success())
      }

      await two()
      const third = await request(ann, newAddress())
      expect(third).toMatchObject(refusal('RATE_LIMIT_HIT', limited, 429))
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3_500)
      await letPass(ann, 3_601)
      await two()
      await letPass(ann, 3_601)
      expect(await request(ann, newAddress())).toMatchObject(success())
      const sixth = await request(ann, newAddress())
      expect(sixth).toMatchObject(refusal('RATE_LIMIT_HIT', limited, 429))
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(DAY_SECONDS - 2 * 3_601 - 60)
      await letPass(ann, DAY_SECONDS)
      expect(await request(ann, newAddress())).toMatchObject(success())
    })

    test('beyond the limit change nothing else', async () => {
      const ann = await newUser()
      for (let turn = 0; turn < 2; turn++) await request(ann, newAddress())
      const { full_name } = await ann.call(getOwnUser, {})

      const answer = await ann.send(updateSettings, { email: newAddress(), full_name: 'Half Done' })

      expect(answer.status).toBe(429)
      expect((await ann.call(getOwnUser, {})).full_name).toBe(full_name)
    })

    test('respect the limit under concurrent requests', async () => {
      const ann = await newUser()

      const answers = await Promise.all(Array.from({ length: 8 }, () => request(ann, newAddress())))

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
    })

    test('require an administrator if the organization says so, also at the link', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const administrator = await newUserOfRole(system(), Role.administrator)
      const address = newAddress()
      await request(ann, address)
      const key = await keyFor(address)
      await system().owner.call(updateRealm, { email_changes_disabled: true })

      expect(await request(ben, newAddress())).toMatchObject(refusal('BAD_REQUEST'))
      expect(await request(ben, ben.email)).toMatchObject(success())
      expect(await request(administrator, newAddress())).toMatchObject(success())
      expect(await open(key)).toMatchObject({
        kind: 'refused',
        page: expect.stringMatching(/dministrators/),
      })
      await system().owner.call(updateRealm, { email_changes_disabled: false })
      expect(await open(key)).toMatchObject({ kind: 'changed' })
    })
  })
}
