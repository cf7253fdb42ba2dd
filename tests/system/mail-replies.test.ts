import { type EndpointInput, endpoints } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { metricOf } from './support/observe.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { deliverMail, type SentMail } from './support/smtp-client.ts'
import { lockTable } from './support/table-lock.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from './support/users-and-channels.ts'

const { deactivateUser, muteUser, regenerateApiKey, updateSettings } = endpoints.users
const { deleteMessage, editMessage, getMessages, subscribe, unsubscribe } = endpoints.messaging
const { updateMessageFlags, updateUserTopic } = endpoints.messaging

const FOLLOWED = 3

const EXPIRE = `update reply_addresses set expires_at = expires_at - interval '30 days' where account_id = $1`

let product: TestSystem
let db: Pool
let messagingDb: Pool
let mailServer: MailServer
let port: number
beforeAll(async () => {
  mailServer = await startMailServer(await pickFreePort())
  port = await pickFreePort()
  product = await startTestSystem({
    env: process.env,
    serviceEnv: {
      ...{ MAIL_URL: mailServer.url, UPLOAD_QUOTA_MIB: '2' },
      ...{ MAIL_REPLY_ADDRESS: 'reply+%s@mail.example.com', MAIL_REPLY_PORT: String(port) },
    },
  })
  db = createPool(product.system.databaseUrls.users, 2, createLog('test', 'silent'))
  messagingDb = createPool(product.system.databaseUrls.messaging, 2, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await messagingDb.end()
  await product.stop()
  await mailServer.stop()
})

async function newAwayUser(settings: EndpointInput<typeof updateSettings> = {}): Promise<ApiClient> {
  const [user] = await newUsers(product, 1)
  await user.call(updateSettings, { email_notifications_batching_period_seconds: 1, ...settings })
  return user
}

/** A user, and the address by which they answer a message to them. */
async function newMailed(settings: EndpointInput<typeof updateSettings> = {}) {
  const user = await newAwayUser(settings)
  await sendDirectly(product.owner, [user], 'Lunch?')
  return { user, address: await replyAddressOf(user) }
}

/** A user mentioned in a topic of a channel, likewise. */
async function newMentioned(more: { readonly isPrivate?: boolean } = {}) {
  const user = await newAwayUser()
  const channel = await newChannel(product.owner, { others: [user], ...more })
  const messageId = await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
  return { user, channel, messageId, address: await replyAddressOf(user) }
}

async function replyAddressOf({ email }: ApiClient): Promise<string> {
  const [mail] = await mailServer.waitForMails(email)
  return mail?.replyTo?.[0]?.address ?? ''
}

let mails = 0
const contentOf = (body: string, headers: readonly string[] = []) =>
  [
    `Message-ID: <${++mails}@client.example.com>`,
    ...['From: Ann <ann@client.example.com>', 'Subject: Re: your message', 'MIME-Version: 1.0'],
    ...(headers.some((line) => line.startsWith('Content-Type'))
      ? headers
      : [...headers, 'Content-Type: text/plain; charset=utf-8']),
    '',
    body,
  ].join('\r\n')

/** Answers by mail. The sender's address says nothing. */
const answer = (to: string, content: string | Buffer, more: Partial<SentMail> = {}) =>
  deliverMail(port, { from: 'anyone@elsewhere.example.com', to, content, ...more })

/** The messages between two users, or of a channel. */
async function contentsOf(viewer: ApiClient, narrow: object): Promise<string[]> {
  const { messages } = await viewer.call(getMessages, {
    ...{ anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false },
    narrow: [narrow] as never,
  })
  return messages.map(({ content }) => content)
}
const repliesOf = async (user: ApiClient) =>
  (await contentsOf(product.owner, { operator: 'dm', operand: [user.userId] })).filter(
    (content) => content !== 'Lunch?',
  )

/** The next mail to a user with this subject. */
async function mailAbout({ email }: ApiClient, subject: string): Promise<Email> {
  const find = () => mailServer.mailsTo(email).find((mail) => mail.subject?.includes(subject))
  await until(async () => find() !== undefined)
  return find() as Email
}

/** The mails that say that a reply wasn't posted. */
const refusalsOf = ({ email }: ApiClient) =>
  mailServer.mailsTo(email).filter(({ subject }) => subject?.includes('not posted'))

describe.concurrent('a mail about missed messages shows', () => {
  test('a mention, and what was written there right before, as far as the user sees it', async () => {
    const user = await newAwayUser({ automatically_follow_topics_where_mentioned: false })
    const channel = await newChannel(product.owner, { others: [user] })
    const [muted] = await newUsers(product, 1)
    await user.call(muteUser, { muted_user_id: muted.userId })
    await muted.call(subscribe, { subscriptions: [{ name: channel.name }] })
    await sendToChannel(product.owner, channel.id, 'elsewhere', 'other plans')
    for (let nth = 1; nth <= 11; nth++)
      await sendToChannel(product.owner, channel.id, `before ${nth}`, 'plans')
    await sendToChannel(muted, channel.id, 'of somebody muted', 'plans')
    await sendToChannel(product.owner, channel.id, `@**|${user.userId}** look`, 'plans')
    await sendToChannel(product.owner, channel.id, 'not for the user', 'plans')
    const [mail] = await mailServer.waitForMails(user.email)
    const quoted = (mail?.text ?? '').match(/^> .*/gm) ?? []
    expect(quoted).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `> before ${index + 3}`),
      expect.stringContaining(' look'),
    ])
    expect(mail?.text).not.toContain('not shown here')
  })

  test('what follows a topic, without what was written before', async () => {
    const user = await newAwayUser()
    const channel = await newChannel(product.owner, { others: [user] })
    const before = await sendToChannel(product.owner, channel.id, 'before', 'plans')
    await user.call(updateMessageFlags, { messages: [before], op: 'add', flag: 'read' })
    await user.call(updateUserTopic, { stream_id: channel.id, topic: 'plans', visibility_policy: FOLLOWED })
    await sendToChannel(product.owner, channel.id, 'after', 'plans')
    const [mail] = await mailServer.waitForMails(user.email)
    expect((mail?.text ?? '').match(/^> .*/gm)).toEqual(['> after'])
  })

  test('its date in the time zone of the user', async () => {
    const user = await newAwayUser({ timezone: 'Asia/Kolkata' })
    await sendDirectly(product.owner, [user], 'namaste')
    const [mail] = await mailServer.waitForMails(user.email)
    expect(mail?.headers.find(({ key }) => key === 'date')?.value).toMatch(/ \+0530$/)
  })
})

describe.concurrent('an answer to a mail about missed messages', () => {
  test('is posted to the person, without what it quotes', async () => {
    const { user, address } = await newMailed()
    expect(address).toMatch(/^reply\+[0-9a-f]{32}@mail\.example\.com$/)
    const body = 'At **noon**.\n\nOn Mon, Nov 23, 2026 at 9:12 AM Ben <x@example.com> wrote:\n\n> Lunch?'
    expect(await answer(address, contentOf(body))).toMatchObject({ code: 250 })
    expect(await repliesOf(user)).toEqual(['At **noon**.'])
    const [mail] = mailServer.mailsTo(user.email)
    expect(mail?.text).toContain('Answer this mail to post a reply there.')
  })

  test('is posted to the topic, also after that has moved', async () => {
    const { channel, messageId, address } = await newMentioned()
    await product.owner.call(editMessage, {
      ...{ message_id: messageId, topic: 'renamed', propagate_mode: 'change_all' },
    })
    expect(await answer(address, contentOf('Seen.'))).toMatchObject({ code: 250 })
    const { messages } = await product.owner.call(getMessages, {
      ...{ anchor: 'newest', num_before: 1, num_after: 0 },
      narrow: [{ operator: 'channel', operand: channel.name }],
    })
    expect(messages[0]).toMatchObject({ subject: 'renamed', content: '<p>Seen.</p>', client: 'email' })
  })

  test('is posted to the whole group', async () => {
    const [user, other] = [await newAwayUser(), await newAwayUser()]
    await sendDirectly(product.owner, [user, other], 'Lunch?')
    await answer(await replyAddressOf(user), contentOf('Yes.'))
    expect(await contentsOf(other, { operator: 'dm', operand: [user.userId, product.owner.userId] })).toEqual(
      ['Lunch?', 'Yes.'],
    )
  })

  test('is posted once, however often and concurrently it is delivered', async () => {
    const { user, address } = await newMailed()
    const content = contentOf('Once.')
    const answers = await Promise.all([1, 2, 3].map(() => answer(address, content)))
    answers.push(await answer(address.toUpperCase(), content.replace('Subject: Re', 'Subject: AW')))
    expect(answers.map(({ code }) => code)).toEqual([250, 250, 250, 250])
    expect(await repliesOf(user)).toEqual(['Once.'])
    // Another mail with the same words is another message
    await answer(address, contentOf('Once.'))
    expect(await repliesOf(user)).toEqual(['Once.', 'Once.'])
  })

  test('may be in HTML and in any charset', async () => {
    const { user, address } = await newMailed()
    await answer(
      address,
      contentOf('<div>Gr&uuml;&szlig;e, <b>Ann</b></div><blockquote type="cite">Lunch?</blockquote>', [
        'Content-Type: text/html; charset=utf-8',
      ]),
    )
    const latin = contentOf('Schöne Grüße', ['Content-Type: text/plain; charset=iso-8859-1'])
    await answer(address, Buffer.from(latin, 'latin1'))
    expect(await repliesOf(user)).toEqual(['Grüße, **Ann**', 'Schöne Grüße'])
  })

  test('brings its attachments, as far as the organization has space', async () => {
    const { user, address } = await newMailed()
    const part = (name: string, content: string) =>
      `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nThe menu.\r\n${part('menu.txt', 'Soup')}${part('big.txt', 'x'.repeat(900).concat('\r\n').repeat(2_500))}--b--`
    await answer(address, contentOf(body, ['Content-Type: multipart/mixed; boundary=b']))
    const [reply = ''] = await repliesOf(user)
    expect(reply).toMatch(/^The menu\.\n\n\[menu\.txt\]\(\/user_uploads\/\S+\)\n\(Not attached: big\.txt\)$/)
    const [, url = ''] = /\((\/user_uploads\/[^)]+)\)/.exec(reply) ?? []
    const file = await product.owner.request('GET', url)
    expect(file.status).toBe(200)
  })

  test('does not bring the mail that it answers, by which others could answer too', async () => {
    const { user, address } = await newMailed()
    const original = `From: chat@mail.example.com\r\nReply-To: <${address}>\r\nSubject: DMs\r\n\r\nLunch?`
    const link = `https://localhost/accounts/unsubscribe/missed_messages/1-${'x'.repeat(43)}`
    const turnsOff = `List-Unsubscribe: <${link}>\r\n\r\nLunch?`
    const part = (type: string, name: string, content: string) =>
      `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${content}\r\n`
    const parts = [
      '--b\r\nContent-Type: text/plain\r\n\r\nYes.\r\n',
      part('message/rfc822', 'original.eml', original),
      part('application/octet-stream', 'saved.eml', original),
      part('message/rfc822', 'hidden.eml', turnsOff),
      part('message/rfc822', 'menu.eml', 'Subject: Menu\r\n\r\nSoup'),
    ]
    await answer(address, contentOf(`${parts.join('')}--b--`, ['Content-Type: multipart/mixed; boundary=b']))
    expect(await repliesOf(user)).toEqual([
      expect.stringMatching(/^Yes\.\n\n\[menu\.eml\]\(\/user_uploads\/\S+\)$/),
    ])
  })

  test.each([
    ['an out-of-office note', ['Auto-Submitted: auto-replied'], 'ann@client.example.com'],
    ['a mail of a list', ['Precedence: list'], 'ann@client.example.com'],
    ['a bounce', [], ''],
  ])('posts nothing if it is %s', async (_, headers, from) => {
    const { user, address } = await newMailed()
    expect(await answer(address, contentOf('I am away.', headers), { from })).toMatchObject({ code: 250 })
    expect(await repliesOf(user)).toEqual([])
  })

  test('posts nothing if it is one of our mails, sent on', async () => {
    const { user, address } = await newMailed()
    const sentOn = contentOf('DMs', ['Auto-Submitted: auto-generated', 'List-Id: <localhost>'])
    expect(await answer(address, sentOn)).toMatchObject({ code: 250 })
    expect(await repliesOf(user)).toEqual([])
  })
})

describe.concurrent('the user is mailed why an answer was not posted', () => {
  test('if they have left the channel', async () => {
    const { user, channel, address } = await newMentioned({ isPrivate: true })
    await user.call(unsubscribe, { subscriptions: [channel.name] })
    expect(await answer(address, contentOf('Too late.'))).toMatchObject({ code: 250 })
    const mail = await mailAbout(user, 'not posted')
    expect(mail.text).toContain('> Too late.')
    expect(mail.replyTo).toBeUndefined()
    expect(await contentsOf(product.owner, { operator: 'channel', operand: channel.name })).not.toContain(
      'Too late.',
    )
  })

  test('if the message is deleted, in their language', async () => {
    const { user, messageId, address } = await newMentioned()
    await user.call(updateSettings, { default_language: 'de' })
    await product.owner.call(deleteMessage, { message_id: messageId })
    await answer(address, contentOf('Too late.'))
    expect((await mailAbout(user, 'nicht gepostet')).text).toContain('> Too late.')
  })

  test('once, however often it is delivered', async () => {
    const { user, messageId, address } = await newMentioned()
    await product.owner.call(deleteMessage, { message_id: messageId })
    const content = contentOf('Too late.')
    await answer(address, content)
    await mailAbout(user, 'not posted')
    expect(await answer(address, content)).toMatchObject({ code: 250 })
    await answer(address, contentOf('Another one.'))
    await until(async () => refusalsOf(user).length > 1)
    expect(refusalsOf(user).map(({ text = '' }) => /> .*/.exec(text)?.[0])).toEqual([
      '> Too late.',
      '> Another one.',
    ])
  })

  test('at most 30 times in an hour', async () => {
    const { user, address } = await newMailed()
    const answers: Awaited<ReturnType<typeof answer>>[] = []
    for (let nth = 1; nth <= 31; nth++) answers.push(await answer(address, contentOf('')))
    expect(answers.map(({ code }) => code)).toEqual([...Array.from({ length: 30 }, () => 250), 451])
    await until(async () => refusalsOf(user).length >= 30)
    expect(refusalsOf(user)).toHaveLength(30)
  })

  test('if it has no text', async () => {
    const { user, address } = await newMailed()
    await answer(address, contentOf('From: my point of view, yes\nDate: any\n\nBye'))
    const mail = await mailAbout(user, 'not posted')
    expect(mail.text).toContain('no text beside the quoted one')
    expect(mail.text).toContain('> From: my point of view, yes')
    expect(await repliesOf(user)).toEqual([])
  })
})

describe.concurrent('an address for replies', () => {
  test.each<[string, (user: ApiClient) => Promise<unknown>]>([
    ['the account is deactivated', (user) => product.owner.call(deactivateUser, { user_id: user.userId })],
    ['the user gets a new API key', (user) => user.call(regenerateApiKey, {})],
    ['30 days are over', (user) => db.query(EXPIRE, [user.userId])],
  ])('takes nothing once %s', async (_, end) => {
    const { user, address } = await newMailed()
    await end(user)
    expect(await answer(address, contentOf('Hello?'))).toMatchObject({ code: 550 })
    expect(await repliesOf(user)).toEqual([])
  })

  test('that nobody has is refused, as is any other', async () => {
    const guess = `reply+${'0'.repeat(32)}@mail.example.com`
    expect(await answer(guess, contentOf('x'))).toMatchObject({ code: 550 })
    expect(await answer('ann@mail.example.com', contentOf('x'))).toMatchObject({ code: 550 })
  })

  test('comes alone: a second recipient has to wait', async () => {
    const { user, address } = await newMailed()
    expect(await answer(address, contentOf('x'), { to: [address, address] })).toMatchObject({ code: 452 })
    expect(await repliesOf(user)).toEqual([])
  })

  test('is in no mail without content', async () => {
    const user = await newAwayUser({ message_content_in_email_notifications: false })
    await sendDirectly(product.owner, [user], 'secret')
    const [mail] = await mailServer.waitForMails(user.email)
    expect(mail?.replyTo).toBeUndefined()
  })

  test('is tried by an operator', async () => {
    const user = await newAwayUser()
    const { stdout } = await runManageHere(environmentOf(product), ['notify-test', '.', '--user', user.email])
    expect(stdout).toContain('answer the mail')
    expect(await answer(await replyAddressOf(user), contentOf('works?'))).toMatchObject({ code: 250 })
    expect((await mailAbout(user, 'Replies by mail work')).text).toContain('has arrived')
  })
})

test('an answer that cannot be read in bounds is refused for good, and the service goes on', async () => {
  const { user, address } = await newMailed()
  const elements = Array.from({ length: 6_000 }, (_, index) => `<b ${index}>`)
  const html = ['<p>', ...elements, ...elements.map(() => '<p>x')].join('\r\n')
  const hostile = contentOf(html, ['Content-Type: text/html'])
  expect(await answer(address, hostile)).toMatchObject({ code: 554 })
  expect(await answer(address, contentOf('Still there?'))).toMatchObject({ code: 250 })
  expect(await repliesOf(user)).toEqual(['Still there?'])
})

test('an answer waits at its mail server while the database does not answer, and isn’t lost', async () => {
  const { user, address } = await newMailed()
  const content = contentOf('Patience.')
  const lock = await lockTable(messagingDb, 'conversations')
  const refused = await answer(address, content).finally(lock.release)
  expect(refused.code).toBe(451)
  await until(async () => (await answer(address, content)).code === 250)
  expect(await repliesOf(user)).toEqual(['Patience.'])
  const [users = ''] = product.system.urls.users
  expect(await metricOf(users, 'mail_replies_total')).toBeGreaterThan(0)
})

test('a refusal that waits for the mail server is not sent to an account that is deactivated meanwhile', async () => {
  const { user, messageId, address } = await newMentioned()
  await product.owner.call(deleteMessage, { message_id: messageId })
  const jobs = async (condition = 'true') => {
    const { rows } = await db.query(
      `select id::text from graphile_worker._private_jobs
        where (payload -> 'recipient' ->> 'userId')::int = $1 and ${condition}`,
      [user.userId],
    )
    return rows as { id: string }[]
  }
  await mailServer.stop()
  await answer(address, contentOf('Too late.'))
  await until(async () => (await jobs('attempts > 0 and locked_at is null')).length === 1)
  await product.owner.call(deactivateUser, { user_id: user.userId })
  await mailServer.start()
  await db.query(`select graphile_worker.reschedule_jobs($1::bigint[], run_at => now())::text`, [
    (await jobs()).map(({ id }) => id),
  ])
  await until(async () => (await jobs()).length === 0)
  expect(refusalsOf(user)).toEqual([])
})

test('an operator whose trial mail fails learns it by the exit code', async () => {
  const user = await newAwayUser()
  await mailServer.stop()
  const { code, stdout } = await runManageHere(environmentOf(product), [
    'notify-test',
    '.',
    '--user',
    user.email,
  ])
  await mailServer.start()
  expect(code).toBe(1)
  expect(stdout).toContain('Failed')
  expect(stdout).not.toContain('answer the mail')
})
