import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints, internal, Role } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import {
  createInternalClient,
  createInternalTokenSource,
  createLog,
  createPool,
  type Pool,
} from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { open, post } from './support/account-pages.ts'
import { newBotOf } from './support/bots.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { metricOf } from './support/observe.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { until } from './support/until.ts'
import { newUsers } from './support/users-and-channels.ts'

const { deactivateUser, updateSettings, updateUser } = endpoints.users

let product: TestSystem
let mailServer: MailServer
let folder: string
let usersDb: Pool
let administrator: ApiClient
let member: ApiClient
let unwilling: ApiClient
let gone: ApiClient
beforeAll(async () => {
  mailServer = await startMailServer(await pickFreePort())
  folder = await mkdtemp(join(tmpdir(), 'tms-announcements-'))
  product = await startTestSystem({
    env: process.env,
    replicas: { users: 2 },
    serviceEnv: { MAIL_URL: mailServer.url },
  })
  usersDb = createPool(product.system.databaseUrls.users, 2, createLog('test', 'silent'))
  ;[administrator, member, unwilling, gone] = await newUsers(product, 4)
  await product.owner.call(updateUser, { user_id: administrator.userId, role: Role.administrator })
  await unwilling.call(updateSettings, { enable_marketing_emails: false })
  await product.owner.call(deactivateUser, { user_id: gone.userId })
  await newBotOf(member)
}, 180_000)
afterAll(async () => {
  await usersDb.end()
  await product.stop()
  await mailServer.stop()
  await rm(folder, { recursive: true })
})

const everybody = () => [product.owner, administrator, member, unwilling, gone]

/** Announces a text, and returns what the command prints for programs. */
async function announce(subject: string, text: string, more: readonly string[] = [], name = 'text.md') {
  const file = join(folder, name)
  await writeFile(file, text)
  const args = ['announce', '.', '--subject', subject, '--file', file, '--json', ...more]
  const { code, stdout, stderr } = await runManageHere(environmentOf(product), args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const untilMailed = async () => {
  for (const url of product.system.urls.users)
    await until(async () => (await metricOf(url, 'jobs_waiting')) === 0)
}

/** SQL: jobs of announcements with the subject `$1`. */
const OF_SUBJECT = `(payload ->> 'announcementId')::int in (select id from announcements where subject = $1)`

const countJobs = async (subject: string, condition = 'true'): Promise<number> => {
  const { rows } = await usersDb.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker._private_jobs where ${OF_SUBJECT} and ${condition}`,
    [subject],
  )
  return rows[0]?.count ?? 0
}

/** Waits until all mails with a subject have failed once, as while there is no mail server. */
const untilTried = (subject: string) =>
  until(
    async () =>
      (await countJobs(subject, 'attempts > 0 and locked_at is null')) === (await countJobs(subject)),
  )

/** How many mails with a subject each of everybody has. */
const countsOf = (subject: string) =>
  everybody().map(({ email }) => mailServer.mailsTo(email).filter((mail) => mail.subject === subject).length)

describe('an announcement', () => {
  test('reaches administrators, then everyone who wants it, once each', async () => {
    const subject = 'We move'
    const text = '# Sunday\n\nSee the [plan](https://example.com/plan).'
    const tried = await announce(subject, text, ['--dry-run'])
    expect(tried).toMatchObject({ is_dry_run: true, recipients: 3, earlier: 0, unwilling: 1 })
    expect(tried.text).toContain('See the [plan]')

    expect(await announce(subject, text, ['--yes', '--to', 'administrators'])).toMatchObject({ queued: 2 })
    await untilMailed()
    expect(countsOf(subject)).toEqual([1, 1, 0, 0, 0])

    expect(await announce(subject, text, ['--yes'])).toMatchObject({ queued: 1, earlier: 2, is_whole: true })
    expect(await announce(subject, text, ['--yes'])).toMatchObject({ queued: 0, earlier: 3 })
    await untilMailed()
    expect(countsOf(subject)).toEqual([1, 1, 1, 0, 0])

    const [mail] = mailServer.mailsTo(member.email).filter((each) => each.subject === subject)
    expect(mail?.text).toContain('# Sunday')
    expect(mail?.html).toContain('<h1>Sunday</h1>')
    expect(mail?.html).toContain('<a href="https://example.com/plan">plan</a>')
  })

  test('in plain text has no markup', async () => {
    await announce('Plain', '# not a <b>heading</b>', ['--yes', '--to', 'administrators'], 'text.txt')
    await untilMailed()
    const mail = mailServer.mailsTo(administrator.email).find(({ subject }) => subject === 'Plain')
    expect(mail?.html).toContain('<p># not a &lt;b&gt;heading&lt;/b&gt;</p>')
  })

  test('is turned off by one click, and by a page that asks first', async () => {
    const [clicking, reading] = await newUsers(product, 2)
    await announce('Links', 'text', ['--yes'])
    await untilMailed()
    const linkOf = ({ email }: ApiClient) => {
      const mail = mailServer.mailsTo(email).find(({ subject }) => subject === 'Links')
      const header = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value
      return header?.slice(1, -1) ?? ''
    }
    const one = await post(linkOf(clicking), { 'List-Unsubscribe': 'One-Click' })
    expect([one.status, one.text.includes('gets no more announcements')]).toEqual([200, true])
    const pages = [await open(linkOf(reading)), await post(linkOf(reading), {})]
    expect(pages[0]?.text).toContain('No more announcements?')
    expect(pages[1]?.text).toContain('You are unsubscribed')
    // Mails are passed on, and outlive an address.
    for (const { text } of pages) expect(text).not.toContain(reading.email)
    expect(await announce('Links again', 'text', ['--dry-run'])).toMatchObject({
      recipients: 3,
      unwilling: 3,
    })
  })

  test('that waits for the mail server is not sent to those who have turned it off meanwhile', async () => {
    const [leaving] = await newUsers(product, 1)
    await mailServer.stop()
    await announce('Late', 'text', ['--yes'])
    const [url = ''] = product.system.urls.users
    await until(async () => (await metricOf(url, 'jobs_lag_seconds')) > 0.5)
    await leaving.call(updateSettings, { enable_marketing_emails: false })
    await mailServer.start()
    await untilMailed()
    expect(countsOf('Late')).toEqual([1, 1, 1, 0, 0])
    expect(mailServer.mailsTo(leaving.email)).toEqual([])
  })

  test('comes once although its command is cut off, two operators send it, and a replica dies', async () => {
    const call = createInternalClient(
      product.system.urls,
      createInternalTokenSource('tests', product.system.keys.internal.privateKey),
    )
    const mail = { subject: 'Once', text: 'text', is_markdown: true, audience: 'everyone' } as const
    const realm_id = product.realmId
    await mailServer.stop()
    const results = await Promise.all(
      [1, 2, 3].map(() => call(internal.users.queueAnnouncement, { ...mail, realm_id, after: 0 })),
    )
    const queued = results.reduce((sum, each) => sum + each.queued, 0)
    const dying = product.system.replica('users', 0)
    await dying.kill('SIGKILL')
    await mailServer.start()
    await dying.start()
    expect(await announce('Once', 'text', ['--yes'])).toMatchObject({ queued: 0, earlier: queued })
    await until(
      async () =>
        countsOf('Once')
          .slice(0, 3)
          .every((count) => count > 0),
      90_000,
    )
    expect(countsOf('Once')).toEqual([1, 1, 1, 0, 0])
  }, 150_000)
})

describe('an announcement that is queued', () => {
  test('to administrators is not sent to somebody who is none any more, and reaches them with everybody', async () => {
    const [demoted] = await newUsers(product, 1)
    await product.owner.call(updateUser, { user_id: demoted.userId, role: Role.administrator })
    const subject = 'Of administrators'
    await mailServer.stop()
    await announce(subject, 'text', ['--yes', '--to', 'administrators'])
    await untilTried(subject)
    await product.owner.call(updateUser, { user_id: demoted.userId, role: Role.member })
    await mailServer.start()
    await untilMailed()
    expect(countsOf(subject)).toEqual([1, 1, 0, 0, 0])
    expect(mailServer.mailsTo(demoted.email)).toEqual([])

    await announce(subject, 'text', ['--yes'])
    await untilMailed()
    expect(countsOf(subject)).toEqual([1, 1, 1, 0, 0])
    expect(mailServer.mailsTo(demoted.email).map((mail) => mail.subject)).toEqual([subject])
  })

  test('and given up, since the mail server was down for a day, is sent by the same command', async () => {
    const subject = 'Given up'
    await mailServer.stop()
    await announce(subject, 'text', ['--yes', '--to', 'administrators'])
    await untilTried(subject)
    // As 22 hours later.
    await usersDb.query(
      `update graphile_worker._private_jobs set attempts = max_attempts where ${OF_SUBJECT} returning id`,
      [subject],
    )
    await mailServer.start()
    const cleaning = product.system.replica('users', 0)
    await cleaning.stop()
    await cleaning.start()
    await until(async () => (await countJobs(subject)) === 0)
    expect(await announce(subject, 'text', ['--yes', '--to', 'administrators'])).toMatchObject({
      queued: 2,
      earlier: 0,
    })
    await untilMailed()
    expect(countsOf(subject)).toEqual([1, 1, 0, 0, 0])
  })

  test('looks as its file says that is sent last', async () => {
    const subject = 'Not yet Markdown'
    await announce(subject, '# Sunday', ['--yes', '--to', 'administrators'], 'text.txt')
    await announce(subject, '# Sunday', ['--yes'], 'text.md')
    await untilMailed()
    const [mail] = mailServer.mailsTo(member.email).filter((each) => each.subject === subject)
    expect(mail?.html).toContain('<h1>Sunday</h1>')
    expect(countsOf(subject)).toEqual([1, 1, 1, 0, 0])
  })
})

test.each([
  [['announce', '.', '--subject', 'x'], 2, "required option '--file <path>' not specified"],
  [['announce', '.', '--subject', 'x', '--file', '/none'], 1, "/none can't be read"],
  [['announce', 'nobody', '--subject', 'x', '--file', 'FILE'], 1, 'nobody'],
  [['announce', '.', '--subject', 'x', '--file', 'BINARY', '--yes'], 2, "The text can't be sent"],
  [['announce', '.', '--subject', 'a\nb', '--file', 'FILE'], 2, "The subject can't be sent"],
  [['announce', '.', '--subject', 'x', '--file', 'EMPTY'], 2, "The text can't be sent: it is empty"],
  [['announce', '.', '--subject', 'x', '--file', 'LONG'], 2, 'it has more than 100,000 characters'],
  [['announce', '.', '--subject', ' ', '--file', 'FILE'], 2, "The subject can't be sent: it is empty"],
  [
    ['announce', '.', '--subject', 'x'.repeat(201), '--file', 'FILE'],
    2,
    "The subject can't be sent: it has more than 200 characters",
  ],
  [['announce', '.', '--subject', 'x', '--file', 'FILE'], 1, 'use --yes'],
  [
    ['announce', '.', '--subject', 'We move', '--file', 'FILE'],
    1,
    'Subject: We move\n\ntext\n\nMail this to',
  ],
])('the command refuses %j', async (args, code, message) => {
  const file = join(folder, 'refused.md')
  const binary = join(folder, 'binary.md')
  const empty = join(folder, 'empty.md')
  const long = join(folder, 'long.md')
  await Promise.all([
    ...[writeFile(file, 'text'), writeFile(binary, 'a\0b')],
    ...[writeFile(empty, ''), writeFile(long, 'x'.repeat(100_001))],
  ])
  const paths: Record<string, string> = { FILE: file, BINARY: binary, EMPTY: empty, LONG: long }
  const ended = await runManageHere(
    environmentOf(product),
    args.map((arg) => paths[arg] ?? arg),
  )
  expect(ended).toMatchObject({ code, stderr: expect.stringContaining(message) })
})

test('the page for mails that welcome new accounts says that there are no more of them', async () => {
  const url = `${product.baseUrl}/accounts/unsubscribe/welcome/1-x`
  for (const answer of [await open(url), await post(url, {})]) {
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('There is nothing to unsubscribe from')
  }
})
