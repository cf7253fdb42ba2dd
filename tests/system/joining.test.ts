import { endpoints, Role } from '@tms/contracts'
import type { Pool } from '@tms/service-kit'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, mailedKey, open, post, register } from './support/account-pages.ts'
import { invitationTo, invite, newAddress, newLink } from './support/invitations.ts'
import { mailsTo, waitForMail } from './support/mails.ts'
import { messagesOf } from './support/observe.ts'
import { until } from './support/until.ts'
import { newChannel, newUserOfRole, sendToChannel } from './support/users-and-channels.ts'
import { startWithUsersDatabase } from './support/users-database.ts'
import { stopWatching, watch } from './support/watch.ts'

const {
  createUserGroup,
  deactivateUser,
  fetchApiKey,
  getOwnUser,
  inviteByEmail,
  listUserGroupMembers,
  reactivateUser,
  removeUserGroup,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  updateUser,
} = endpoints.users
const { getMessages, listSubscriptions } = endpoints.messaging
const { updateRealm } = endpoints.realm

let product: TestSystem
let db: Pool
let stop: () => Promise<void>
beforeAll(async () => {
  const started = await startWithUsersDatabase({
    replicas: { messaging: 2 },
    serviceEnv: {
      MAIL_REQUESTS_PER_IP_PER_DAY: '0',
      INVITES_PER_DAY: '0',
      INVITES_PER_DAY_OF_NEW_REALMS: '0',
    },
  })
  ;({ product, db, stop } = started)
}, 180_000)
afterAll(() => stop(), 60_000)

describe('an invitation by mail', () => {
  test('adds a user with role and channels, and notifies the inviter and the organization', async () => {
    const { owner } = product
    const inviter = await newUserOfRole(product, Role.moderator)
    const [chosen, announced] = [await newChannel(inviter), await newChannel(owner)]
    await owner.call(updateRealm, { signup_announcements_stream_id: announced.id })
    const email = newAddress()
    const watcher = await watch(inviter, { event_types: ['invites_changed', 'realm_user'] })
    await inviter.call(inviteByEmail, {
      invitee_emails: email,
      stream_ids: [chosen.id],
      invite_as: Role.guest,
    })
    await watcher.queue.waitFor(({ type }) => type === 'invites_changed', 'invites_changed')

    const answer = await register(product, await mailedKey(product, email), {
      full_name: 'Ann Able',
      timezone: 'US/Pacific',
    })

    expect(answer.status).toBe(200)
    const person = await signIn(email)
    expect(await person.call(getOwnUser, {})).toMatchObject({
      role: Role.guest,
      full_name: 'Ann Able',
      email,
      timezone: 'America/Los_Angeles',
    })
    expect(await channelsOf(person)).toEqual([chosen.name])
    const acceptedText = `Ann Able|${person.userId}** accepted your invitation`
    expect(await noticesTo(inviter, acceptedText)).toHaveLength(1)
    const texts = (await messagesOf(owner, announced.name)).map(({ content }) => content)
    expect(texts.filter((text) => text.includes('Ann Able'))).toHaveLength(1)
    await watcher.queue.waitFor(
      ({ type, op, person: acceptedText }) =>
        type === 'realm_user' &&
        op === 'add' &&
        (acceptedText as { user_id: number }).user_id === person.userId,
      'the new user',
    )
    const changes = watcher.queue.events.filter(({ type }) => type === 'invites_changed')
    expect(changes).toHaveLength(2)
    expect(await invitationTo(owner, email)).toBeUndefined()
    expect((await waitForMail(product, email, 'Welcome')).text).toContain('Ann Able')
    await stopWatching([watcher])
    await owner.call(updateRealm, { signup_announcements_stream_id: -1 })
  })

  test('adds the default channels on request, and skips the notice on request', async () => {
    const inviter = await newUserOfRole(product, Role.member)
    const [email, silent] = [newAddress(), newAddress()]
    const withDefaults = { stream_ids: [], include_realm_default_subscriptions: true }
    await inviter.call(inviteByEmail, { invitee_emails: email, ...withDefaults })
    await inviter.call(inviteByEmail, {
      invitee_emails: silent,
      ...withDefaults,
      notify_referrer_on_join: false,
    })

    await register(product, await mailedKey(product, silent), { full_name: 'Silent Sam' })
    await register(product, await mailedKey(product, email), { full_name: 'Loud Lou' })

    const person = await signIn(email)
    expect(await channelsOf(person)).toContain('announcements')
    expect(await noticesTo(inviter, 'Loud Lou')).toHaveLength(1)
    expect(await noticesTo(inviter, 'Silent Sam')).toEqual([])
  })

  test('adds the user to the groups that it names, except those deleted meanwhile', async () => {
    const inviter = await newUserOfRole(product, Role.member)
    const group = (name: string) =>
      inviter.call(createUserGroup, { name, description: '', members: [inviter.userId] })
    const [kept, deleted] = [await group('New members'), await group('Short-lived')]
    const email = newAddress()
    await inviter.call(inviteByEmail, {
      invitee_emails: email,
      stream_ids: [],
      group_ids: [kept.group_id, deleted.group_id],
    })
    await inviter.call(removeUserGroup, { user_group_id: deleted.group_id })
    const watcher = await watch(inviter, { event_types: ['user_group'] })

    await register(product, await mailedKey(product, email), { full_name: 'Grace Grouped' })

    const person = await signIn(email)
    const event = await watcher.queue.waitFor(
      ({ op, group_id }) => op === 'add_members' && group_id === kept.group_id,
      'the new member',
    )
    expect(event).toMatchObject({ user_ids: [person.userId] })
    const { members } = await person.call(listUserGroupMembers, { user_group_id: kept.group_id })
    expect(members).toEqual([inviter.userId, person.userId])
    await stopWatching([watcher])
  })

  test('creates one account under concurrent use', async () => {
    const email = newAddress()
    await invite(product.owner, email)
    const key = await mailedKey(product, email)

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => register(product, key, { full_name: `Eager ${index}` })),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await open(`${product.baseUrl}/accounts/do_confirm/${key}`)).status).toBe(404)
    expect((await register(product, key)).status).toBe(404)
    const { rows } = await db.query('select id from accounts where delivery_email = $1', [email])
    expect(rows).toHaveLength(1)
  })

  test('voids other invitations of the address', async () => {
    const [inviter, email] = [await newUserOfRole(product, Role.member), newAddress()]
    await invite(inviter, email)
    const first = await mailedKey(product, email)
    await invite(product.owner, email)
    await until(async () => (await mailsTo(product, email)).length === 2)
    const second = await mailedKey(product, email)

    const answers = await Promise.all([register(product, first), register(product, second)])

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await invitationTo(product.owner, email)).toBeUndefined()
    for (const key of [first, second])
      expect((await open(`${product.baseUrl}/accounts/do_confirm/${key}`)).status).toBe(404)
  })

  test.each([
    ['expired', (id: number) => db.query('update invitations set expires_at = now() where id = $1', [id])],
    ['revoked', (invite_id: number) => product.owner.call(revokeInvitation, { invite_id })],
  ])('leads nowhere once it is %s', async (_, end) => {
    const email = newAddress()
    const id = await invite(product.owner, email)
    const key = await mailedKey(product, email)
    expect((await open(`${product.baseUrl}/accounts/do_confirm/${key}`)).status).toBe(200)

    await end(id)

    expect((await open(`${product.baseUrl}/accounts/do_confirm/${key}`)).status).toBe(404)
    expect((await register(product, key)).status).toBe(404)
    expect(await invitationTo(product.owner, email)).toBeUndefined()
  })

  test('is void, and so is a link, after the inviter was deactivated', async () => {
    const [inviter, email] = [await newUserOfRole(product, Role.administrator), newAddress()]
    await invite(inviter, email)
    const { url } = await newLink(inviter)
    const key = await mailedKey(product, email)
    const watcher = await watch(product.owner, { event_types: ['invites_changed'] })

    await product.owner.call(deactivateUser, { user_id: inviter.userId })

    await watcher.queue.waitFor(({ type }) => type === 'invites_changed', 'invites_changed')
    expect((await register(product, key)).status).toBe(404)
    expect((await open(url)).status).toBe(404)
    await stopWatching([watcher])
  })

  test('is void, and so is a link, after the inviter became a guest', async () => {
    const [inviter, email] = [await newUserOfRole(product, Role.administrator), newAddress()]
    await invite(inviter, email)
    const { url } = await newLink(inviter)
    const key = await mailedKey(product, email)

    await product.owner.call(updateUser, { user_id: inviter.userId, role: Role.guest })

    expect((await register(product, key)).status).toBe(404)
    expect((await open(url)).status).toBe(404)
    await product.owner.call(updateUser, { user_id: inviter.userId, role: Role.member })
    expect((await open(url)).status).toBe(404)
  })

  test('grants no more power than the inviter has by then', async () => {
    const [inviter, email] = [await newUserOfRole(product, Role.administrator), newAddress()]
    await invite(inviter, email, { invite_as: Role.administrator })
    const key = await mailedKey(product, email)
    await product.owner.call(updateUser, { user_id: inviter.userId, role: Role.member })

    expect((await register(product, key)).status).toBe(200)

    expect(await (await signIn(email)).call(getOwnUser, {})).toMatchObject({ role: Role.member })
  })

  test.each(['an invitation by mail', 'a link'])(
    'leads into no private channel from which the inviter was removed: %s',
    async (kind) => {
      const inviter = await newUserOfRole(product, Role.administrator)
      const [left, kept, open_] = [
        await newChannel(product.owner, { isPrivate: true, others: [inviter] }),
        await newChannel(product.owner, { isPrivate: true, others: [inviter] }),
        await newChannel(product.owner),
      ]
      const stream_ids = [left.id, kept.id, open_.id]
      const email = newAddress()
      if (kind === 'a link') await post((await newLink(inviter, { stream_ids })).url, { email })
      else await invite(inviter, email, { stream_ids })
      const key = await mailedKey(product, email)

      const removing = { subscriptions: [left.name], principals: [inviter.userId] }
      await product.owner.call(endpoints.messaging.unsubscribe, removing)
      expect((await register(product, key)).status).toBe(200)

      const person = await signIn(email)
      expect(await channelsOf(person)).toEqual(expect.arrayContaining([kept.name, open_.name]))
      expect(await channelsOf(person)).not.toContain(left.name)
    },
  )

  test('works by the newest link after it was sent again', async () => {
    const email = newAddress()
    const invite_id = await invite(product.owner, email)
    const first = await mailedKey(product, email)
    await product.owner.call(resendInvitation, { invite_id })
    await until(async () => (await mailsTo(product, email)).length === 2)
    const second = await mailedKey(product, email)

    expect((await register(product, first)).status).toBe(404)
    expect((await register(product, second)).status).toBe(200)
  })

  test('has a reminder before it expires, and works by either link', async () => {
    const email = newAddress()
    const id = await invite(product.owner, email)
    const first = await mailedKey(product, email)
    const { rows } = await db.query(
      'update graphile_worker._private_jobs set run_at = now() where key = $1 returning id',
      [`reminder of invitation ${id}`],
    )
    expect(rows).toHaveLength(1)

    const reminder = await mailedKey(product, email, 'about to expire')

    for (const key of [first, reminder])
      expect((await open(`${product.baseUrl}/accounts/do_confirm/${key}`)).status).toBe(200)
  })

  test('has no reminder after it was used or expired, or if it is short', async () => {
    const [over, short] = [newAddress(), newAddress()]
    const invite_id = await invite(product.owner, over)
    await product.owner.call(revokeInvitation, { invite_id })
    const id = await invite(product.owner, short, { invite_expires_in_minutes: 4 * 1_440 - 1 })

    const keys = [invite_id, id].map((one) => `reminder of invitation ${one}`)
    const { rows } = await db.query('select id from graphile_worker._private_jobs where key = any ($1)', [
      keys,
    ])
    expect(rows).toEqual([])
  })

  test('is checked again when it is used', async () => {
    const email = newAddress()
    await invite(product.owner, email)
    const key = await mailedKey(product, email)
    await product.owner.call(updateRealm, { emails_restricted_to_domains: true })

    expect((await register(product, key)).status).toBe(400)

    await product.owner.call(updateRealm, { emails_restricted_to_domains: false })
    expect((await register(product, key)).status).toBe(200)
  })

  test.each([
    ['a name that won’t do', { full_name: 'A*' }],
    ['a weak password', { password: 'password' }],
  ])('explains what is wrong with %s, and can be used again', async (_, fields) => {
    const email = newAddress()
    await invite(product.owner, email)
    const key = await mailedKey(product, email)

    expect((await register(product, key, fields)).status).toBe(400)
    expect((await register(product, key)).status).toBe(200)
  })

  test('hides the address from users as the new user chooses', async () => {
    const email = newAddress()
    await invite(product.owner, email)

    await register(product, await mailedKey(product, email), { email_address_visibility: '4' })

    const person = await signIn(email)
    const own = await person.call(getOwnUser, {})
    const apiEmail = `user${person.userId}@${new URL(product.baseUrl).hostname}`
    expect(own).toMatchObject({ email: apiEmail, delivery_email: email })
  })
})

describe('a reusable link', () => {
  test('adds any user who confirms an address, repeatedly, without notices', async () => {
    const inviter = await newUserOfRole(product, Role.administrator)
    const { url } = await newLink(inviter, { invite_as: Role.moderator })

    for (const full_name of ['First Fran', 'Second Sue']) {
      const email = newAddress()
      expect((await post(url, { email })).status).toBe(200)
      expect((await register(product, await mailedKey(product, email), { full_name })).status).toBe(200)
      expect(await (await signIn(email)).call(getOwnUser, {})).toMatchObject({ role: Role.moderator })
    }

    expect(await noticesTo(inviter, 'accepted')).toEqual([])
  })

  test('is void after it was revoked, and so are its confirmations', async () => {
    const { id, url } = await newLink(product.owner)
    const email = newAddress()
    await post(url, { email })
    const key = await mailedKey(product, email)

    await product.owner.call(revokeInvitationLink, { invite_id: id })

    expect((await open(url)).status).toBe(404)
    expect((await post(url, { email })).status).toBe(404)
    expect((await register(product, key)).status).toBe(404)
  })

  test('creates one account for a confirmed address under concurrent use', async () => {
    const { url } = await newLink(product.owner)
    const email = newAddress()
    await post(url, { email })
    const key = await mailedKey(product, email)

    const answers = await Promise.all(Array.from({ length: 6 }, () => register(product, key)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('rejects an address that is in use, and mails at most twice an hour', async () => {
    const { url } = await newLink(product.owner)
    const email = newAddress()

    expect((await post(url, { email: product.owner.email })).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(url, { email })))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    for (const { status, headers } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500)
    }
    await until(async () => (await mailsTo(product, email)).length === 2)
  })
})

describe('the message history of a new user', () => {
  test('starts with the messages of public channels, the last twenty unread', async () => {
    const { owner } = product
    const [open, secret] = [await newChannel(owner), await newChannel(owner, { isPrivate: true })]
    for (let i = 1; i <= 25; i++) await sendToChannel(owner, open.name, `message ${i}`)
    await sendToChannel(owner, secret.name)
    const email = newAddress()
    await owner.call(inviteByEmail, { invitee_emails: email, stream_ids: [open.id, secret.id] })
    await register(product, await mailedKey(product, email))
    const person = await signIn(email)
    expect(await channelsOf(person)).toHaveLength(2)

    const { messages } = await person.call(getMessages, {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
    })

    const ofOpen = messages.filter(({ stream_id }) => stream_id === open.id)
    // The notice of the channel's creation is one of them.
    expect(ofOpen.map(({ flags }) => flags.includes('read'))).toEqual([
      ...Array(6).fill(true),
      ...Array(20).fill(false),
    ])
    expect(ofOpen.every(({ flags }) => !flags.includes('historical'))).toBe(true)
    expect(messages.filter(({ stream_id }) => stream_id === secret.id)).toEqual([])
  })
})

describe('a new user', () => {
  test('is announced once although messaging dies meanwhile', async () => {
    const inviter = await newUserOfRole(product, Role.member)
    const replicas = [product.system.replica('messaging', 0), product.system.replica('messaging', 1)]
    const emails = Array.from({ length: 6 }, newAddress)
    await inviter.call(inviteByEmail, { invitee_emails: emails.join(','), stream_ids: [] })
    const keys = await Promise.all(emails.map((email) => mailedKey(product, email)))

    const joining = Promise.all(keys.map((key, i) => register(product, key, { full_name: `Kim ${i}` })))
    await Promise.all(replicas.map((replica) => replica.kill('SIGKILL')))
    expect((await joining).map(({ status }) => status)).toEqual(keys.map(() => 200))
    await Promise.all(replicas.map((replica) => replica.start()))

    await until(async () => (await noticesTo(inviter, 'Kim')).length >= emails.length)
    expect(await noticesTo(inviter, 'Kim')).toHaveLength(emails.length)
    for (const email of emails) expect(await noticesTo(await signIn(email), 'Welcome')).toHaveLength(1)
  })

  test('gets an unread welcome message with the next steps', async () => {
    const [email, password, full_name] = [newAddress(), GOOD_PASSWORD, 'Wil Come']
    const { user_id } = await product.owner.call(endpoints.users.createUser, { email, password, full_name })
    const person = await signIn(email)

    const { messages } = await person.call(getMessages, {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'dm' }],
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot', flags: [] })
    expect(messages[0]?.content).toContain(`data-user-id="${user_id}"`)
    expect(messages[0]?.content).toMatch(/<a class="stream"[^>]*>#announcements<\/a>/)
  })
})

describe('a password reset', () => {
  const request = (email: string) => post(`${product.baseUrl}/accounts/password/reset/`, { email })
  const set = (key: string, password: string) =>
    post(`${product.baseUrl}/accounts/password/reset/${key}/`, { password })

  test('works once for each mail, and the owner gets a mail', async () => {
    const { email } = await product.createUser()
    for (let i = 0; i < 6; i++) await product.anonymous.send(fetchApiKey, { username: email, password: 'x' })
    await request(` ${email.toUpperCase()}`)
    const key = await mailedKey(product, email, 'new password')

    expect((await set(key, 'password')).status).toBe(400)
    const answers = await Promise.all([set(key, GOOD_PASSWORD), set(key, `${GOOD_PASSWORD}!`)])

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
    const first = answers[0]?.status === 200 ? GOOD_PASSWORD : `${GOOD_PASSWORD}!`
    await product.anonymous.call(fetchApiKey, { username: email, password: first })
    await waitForMail(product, email, 'was changed')
  })

  test('is void once the account has another password', async () => {
    const { email } = await product.createUser()
    await request(email)
    const first = await mailedKey(product, email)
    await request(email)
    await until(async () => (await mailsTo(product, email)).length === 2)
    const second = await mailedKey(product, email)

    expect((await set(second, GOOD_PASSWORD)).status).toBe(200)
    expect((await set(first, `${GOOD_PASSWORD}!`)).status).toBe(404)
  })

  test('is void once the account has another address', async () => {
    const { email, userId } = await product.createUser()
    await request(email)
    const key = await mailedKey(product, email)
    await db.query('update accounts set delivery_email = $2 where id = $1', [userId, newAddress()])

    expect((await set(key, GOOD_PASSWORD)).status).toBe(404)
  })

  test('is void once the account was deactivated, also after reactivation', async () => {
    const { email, userId } = await product.createUser()
    await request(email)
    const key = await mailedKey(product, email)

    await product.owner.call(deactivateUser, { user_id: userId })
    expect((await set(key, GOOD_PASSWORD)).status).toBe(404)
    await product.owner.call(reactivateUser, { user_id: userId })

    expect((await set(key, GOOD_PASSWORD)).status).toBe(404)
  })

  test('is limited to two requests an hour', async () => {
    const { email } = await product.createUser()

    const answers = await Promise.all(Array.from({ length: 4 }, () => request(email)))

    expect(answers.filter(({ text }) => text.includes('Check your inbox'))).toHaveLength(2)
    for (const { headers } of answers.filter(({ status }) => status === 429))
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })

  test('rejects a NUL, and a page says so', async () => {
    const answer = await request('a\0@example.com')

    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).toContain('<h1>')
  })

  test('for an unknown address looks like any other; the mail says so', async () => {
    const [nobody, deactivated] = [newAddress(), await product.createUser()]
    await db.query('update accounts set is_active = false where id = $1', [deactivated.userId])

    const answers = [await request(nobody), await request(deactivated.email)]

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await waitForMail(product, nobody, 'No account')
    await waitForMail(product, deactivated.email, 'deactivated')
    const mails = [...(await mailsTo(product, nobody)), ...(await mailsTo(product, deactivated.email))]
    for (const { text } of mails) expect(text).not.toContain('/accounts/')
  })

  test('expires', async () => {
    const { email, userId } = await product.createUser()
    await request(email)
    const key = await mailedKey(product, email)

    await db.query('update password_resets set expires_at = now() where account_id = $1', [userId])

    expect((await set(key, GOOD_PASSWORD)).status).toBe(404)
  })
})

describe('an organization that is open to everyone', () => {
  afterEach(() => product.owner.call(updateRealm, { invite_required: true }))

  test('admits users without an invitation, into the default channels', async () => {
    const email = newAddress()
    expect((await post(`${product.baseUrl}/join/`, { email })).status).toBe(404)
    await product.owner.call(updateRealm, { invite_required: false })
    expect((await open(`${product.baseUrl}/join/`)).status).toBe(200)
    expect((await post(`${product.baseUrl}/join/`, { email })).status).toBe(200)

    expect((await register(product, await mailedKey(product, email))).status).toBe(200)

    const person = await signIn(email)
    expect(await person.call(getOwnUser, {})).toMatchObject({ role: Role.member })
    expect(await channelsOf(person)).toContain('announcements')
  })
})

async function signIn(email: string): Promise<ApiClient> {
  const { api_key, user_id } = await product.anonymous.call(fetchApiKey, {
    username: email,
    password: GOOD_PASSWORD,
  })
  return new ApiClient(product.baseUrl, { email, apiKey: api_key, userId: user_id })
}

async function channelsOf(person: ApiClient): Promise<string[]> {
  const { subscriptions } = await person.call(listSubscriptions, {})
  return subscriptions.map(({ name }) => name)
}

/** The notices of the notification bot to a user. */
async function noticesTo(client: ApiClient, part: string): Promise<string[]> {
  const { messages } = await client.call(getMessages, {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content).filter((content) => content.includes(part))
}
