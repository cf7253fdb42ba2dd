import { type EndpointInput, endpoints } from '@tms/contracts'
import { pickFreePort } from '@tms/local-system'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { open, post } from './support/account-pages.ts'
import { newGuestWithoutChannels } from './support/guests.ts'
import { letLeaseEnd } from './support/let-lease-end.ts'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { metricOf } from './support/observe.ts'
import { letPresenceAge } from './support/presence-time.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { until } from './support/until.ts'
import { newChannel, newUsers, sendToChannel } from './support/users-and-channels.ts'

const { muteUser, updatePresence, updateSettings, updateUser } = endpoints.users
const { updateMessageFlags, updateSubscriptionSettings, updateUserTopic, unsubscribe } = endpoints.messaging
const { updateRealm } = endpoints.realm
const MUTED = 1
const DAY_SECONDS = 86_400

let product: TestSystem
let usersDb: Pool
let mailServer: MailServer
beforeAll(async () => {
  mailServer = await startMailServer(await pickFreePort())
  product = await startTestSystem({
    env: process.env,
    replicas: { users: 2 },
    usersHavePasswords: false,
    serviceEnv: { MAIL_URL: mailServer.url },
  })
  usersDb = createPool(product.system.databaseUrls.users, 2, createLog('test', 'silent'))
  await product.owner.call(updateRealm, { digest_emails_enabled: true, digest_weekday: evening.weekday })
}, 180_000)
afterAll(async () => {
  await usersDb.end()
  await product.stop()
  await mailServer.stop()
})

/** The hour in which the tests began, and a time zone in which it is the hour of digests then. */
const evening = (() => {
  const slot = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  const offset = ((18 - slot.getUTCHours() + 12 + 24) % 24) - 12
  const local = new Date(slot.getTime() + offset * 3_600_000)
  // These names have the opposite sign.
  const timezone = offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
  return { slot, timezone, weekday: (local.getUTCDay() + 6) % 7 }
})()

/** Makes all accounts, and digests that were mailed, older than a week. */
async function letAWeekPass(): Promise<void> {
  await usersDb.query(`update accounts set date_joined = now() - interval '8 days' returning id`)
  await usersDb.query(`update digests set mailed_at = now() - interval '7 days' returning user_id`)
}
beforeEach(letAWeekPass)

type Settings = EndpointInput<typeof updateSettings>

/** A user in a time zone where it is the hour of digests, not mailed otherwise. */
async function newAbsentUser(settings: Settings = {}): Promise<ApiClient> {
  const [user] = await newUsers(product, 1)
  await user.call(updateSettings, {
    ...{ timezone: evening.timezone, enable_offline_email_notifications: false },
    ...settings,
  })
  return user
}

/** An absent user, and a channel of theirs in which the owner has written something. */
async function newReader(
  settings: Settings = {},
): Promise<{ user: ApiClient; channel: { id: number; name: string } }> {
  const user = await newAbsentUser(settings)
  const channel = await newChannel(product.owner, { others: [user] })
  return { user, channel }
}

/** Has the digests of the evening mailed again, by the replica that looks first. */
async function beginEvening(): Promise<void> {
  await usersDb.query(
    `update digest_progress
        set slot = $1, at_realm_id = 0, at_user_id = 0, leased_until = clock_timestamp()
     returning slot`,
    [evening.slot],
  )
}

/** Has the digests of the evening mailed again, and returns those of a user that came. */
async function mailDigests(user: ApiClient): Promise<Email[]> {
  const before = mailServer.mailsTo(user.email).length
  await beginEvening()
  await untilMailed()
  return mailServer.mailsTo(user.email).slice(before)
}

async function untilMailed(): Promise<void> {
  await until(async () => {
    const { rows } = await usersDb.query<{ slot: Date }>('select slot from digest_progress')
    return (rows[0]?.slot.getTime() ?? 0) > evening.slot.getTime()
  }, 60_000)
  const [url = ''] = product.system.urls.users
  await until(async () => (await metricOf(url, 'jobs_waiting')) === 0)
}

const textOf = (mails: readonly Email[]) => mails.map(({ text = '' }) => text).join('\n')

describe('a user who was away for days gets a digest', () => {
  test('with samples, participants and counts of what happened in their channels', async () => {
    const { user, channel } = await newReader()
    const [ben] = await newUsers(product, 1)
    await ben.call(endpoints.messaging.subscribe, { subscriptions: [{ name: channel.name }] })
    await sendToChannel(product.owner, channel.id, 'Which **colour**?', 'logo')
    for (const text of ['blue', 'or green', 'or red']) await sendToChannel(ben, channel.id, text, 'logo')
    await letAWeekPass()

    const [mail] = await mailDigests(user)
    expect(mail?.subject).toMatch(/^What you missed in /)
    expect(mail?.text).toContain(`== #${channel.name} > logo ==`)
    expect(mail?.text).toMatch(/> Which \*\*colour\*\*\?[^]*> blue/)
    expect(mail?.text).not.toContain('or green')
    expect(mail?.text).toMatch(/2 more messages, with .+ and .+/)
    expect(mail?.html).toContain('Which <strong>colour</strong>?')
    expect(mail?.text).toContain(`#${channel.name}: ${product.baseUrl}/#narrow/channel/`)
  })

  test('although the clock of a replica was a year ahead before', async () => {
    const { user, channel } = await newReader()
    await sendToChannel(product.owner, channel.id, 'news', 'topic')
    await letAWeekPass()
    await usersDb.query(
      `insert into digests (user_id, realm_id, mailed_at) values ($1, $2, now() + interval '1 year') returning user_id`,
      [user.userId, product.realmId],
    )
    await usersDb.query(
      `update digest_progress set slot = slot + interval '1 year', leased_until = clock_timestamp() returning slot`,
    )
    await until(async () => {
      const { rows } = await usersDb.query(
        `select slot from digest_progress where slot < now() + interval '1 day'`,
      )
      return rows.length === 1
    })
    expect(textOf(await mailDigests(user))).toContain('> news')
  })

  test('although others wait for mailboxes that take nothing, or have an unknown time zone', async () => {
    const { user, channel } = await newReader()
    const other = await newAbsentUser()
    await sendToChannel(product.owner, channel.id, 'news', 'topic')
    await letAWeekPass()
    await usersDb.query(`update accounts set timezone = 'Mars/Olympus' where id = $1 returning id`, [
      other.userId,
    ])
    const { rows: waiting } = await usersDb.query<{ id: string }>(
      `select (graphile_worker.add_job('send_mail', '{}', run_at := now() + interval '1 hour', priority := 20)).id
         from generate_series(1, 201)`,
    )
    const ids = waiting.map(({ id }) => id)
    await usersDb.query(
      'update graphile_worker._private_jobs set attempts = 1 where id = any($1::bigint[]) returning id',
      [ids],
    )
    await beginEvening()
    expect(await mailServer.waitForMails(user.email)).toHaveLength(1)
    await usersDb.query('select count(*) from graphile_worker.complete_jobs($1::bigint[])', [ids])
  })

  test('once, also if the hour is gone through again', async () => {
    const { user, channel } = await newReader()
    await sendToChannel(product.owner, channel.id, 'news', 'topic')
    await letAWeekPass()
    expect(await mailDigests(user)).toHaveLength(1)
    expect(await mailDigests(user)).toEqual([])
  })

  test('only about what they may see, have not read, and have not muted', async () => {
    const { user, channel } = await newReader()
    const [disliked] = await newUsers(product, 1)
    await disliked.call(endpoints.messaging.subscribe, { subscriptions: [{ name: channel.name }] })
    const muted = await newChannel(product.owner, { others: [user] })
    const left = await newChannel(product.owner, { others: [user], isPrivate: true })
    const foreign = await newChannel(product.owner, { isPrivate: true })
    await user.call(muteUser, { muted_user_id: disliked.userId })
    await user.call(updateSubscriptionSettings, {
      subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
    })
    await user.call(updateUserTopic, {
      ...{ stream_id: channel.id, topic: 'muted topic' },
      visibility_policy: MUTED,
    })
    const read = await sendToChannel(product.owner, channel.id, 'secret read', 'read topic')
    await user.call(updateMessageFlags, { messages: [read], op: 'add', flag: 'read' })
    await sendToChannel(product.owner, channel.id, 'secret mute', 'muted topic')
    await sendToChannel(disliked, channel.id, 'secret sender', 'disliked topic')
    await sendToChannel(product.owner, muted.id, 'secret channel', 'topic')
    await sendToChannel(product.owner, left.id, 'secret left', 'topic')
    await sendToChannel(product.owner, foreign.id, 'secret foreign', 'topic')
    await user.call(unsubscribe, { subscriptions: [left.name] })
    await sendToChannel(product.owner, channel.id, 'in the open', 'topic')
    await letAWeekPass()

    const mails = await mailDigests(user)
    expect(textOf(mails)).toContain('in the open')
    expect(`${textOf(mails)} ${mails[0]?.html}`).not.toMatch(/secret|Disliked/)
    expect(textOf(mails)).not.toMatch(new RegExp(`#${foreign.name}\\b`))
  })

  test('about new channels alone, if nothing else happened; guests learn of none', async () => {
    const user = await newAbsentUser()
    const guest = await newGuestWithoutChannels(product)
    await guest.call(updateSettings, { timezone: evening.timezone })
    const channel = await newChannel(product.owner)
    await letAWeekPass()
    expect(textOf(await mailDigests(user))).toContain(`#${channel.name}`)
    expect(mailServer.mailsTo(guest.email)).toEqual([])
  })

  test('that shows nothing if they want that', async () => {
    const { user, channel } = await newReader({ message_content_in_email_notifications: false })
    await sendToChannel(product.owner, channel.id, 'confidential', 'private matters')
    await letAWeekPass()
    const mails = await mailDigests(user)
    expect(textOf(mails)).toContain('you have turned that off in your settings')
    expect(`${textOf(mails)} ${mails[0]?.html}`).not.toMatch(/confidential|private matters/)
  })

  test('with a link that turns digests off by one click', async () => {
    const { user, channel } = await newReader()
    await sendToChannel(product.owner, channel.id, 'news', 'topic')
    await letAWeekPass()
    const [mail] = await mailDigests(user)
    const header = mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const link = /<(.+)>/.exec(header)?.[1] ?? ''
    expect(link).toContain('/accounts/unsubscribe/digest/')
    expect((await open(link)).text).toContain('No more digests of what you missed?')
    expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    await letAWeekPass()
    expect(await mailDigests(user)).toEqual([])
  })
})

describe('no digest comes to a user', () => {
  const news = async ({ channel }: { channel: { id: number } }) => {
    await sendToChannel(product.owner, channel.id, 'news', 'topic')
    await letAWeekPass()
  }

  test('who has turned digests off', async () => {
    const reader = await newReader({ enable_digest_emails: false })
    await news(reader)
    expect(await mailDigests(reader.user)).toEqual([])
  })

  test('in a time zone where it is another time of day', async () => {
    const elsewhere = evening.timezone === 'UTC' ? 'Etc/GMT-1' : 'UTC'
    const reader = await newReader({ timezone: elsewhere })
    await news(reader)
    expect(await mailDigests(reader.user)).toEqual([])
  })

  test('who was active four days ago, but to one who was five days ago', async () => {
    const reader = await newReader()
    await news(reader)
    await reader.user.call(updatePresence, { status: 'active' })
    await letPresenceAge(product, 4 * DAY_SECONDS)
    expect(await mailDigests(reader.user)).toEqual([])
    await letPresenceAge(product, DAY_SECONDS + 60)
    expect(await mailDigests(reader.user)).toHaveLength(1)
  })

  test('who has just written something', async () => {
    const reader = await newReader()
    await sendToChannel(reader.user, reader.channel.id, 'I am here', 'topic')
    await news(reader)
    expect(await mailDigests(reader.user)).toEqual([])
  })

  test('on other days, or if the organization has turned them off', async () => {
    const reader = await newReader()
    await news(reader)
    await product.owner.call(updateRealm, { digest_weekday: (evening.weekday + 3) % 7 })
    expect(await mailDigests(reader.user)).toEqual([])
    await product.owner.call(updateRealm, { digest_weekday: evening.weekday, digest_emails_enabled: false })
    expect(await mailDigests(reader.user)).toEqual([])
    await product.owner.call(updateRealm, { digest_emails_enabled: true })
    expect(await mailDigests(reader.user)).toHaveLength(1)
  })
})

test('a digest that waits for the mail server has nothing of what was read meanwhile', async () => {
  const [reader, other, writer] = [await newReader(), await newReader(), await newReader()]
  for (const { channel } of [reader, other, writer]) {
    await sendToChannel(product.owner, channel.id, 'read meanwhile', 'one')
    await sendToChannel(product.owner, channel.id, 'news', 'two')
  }
  await letAWeekPass()
  await mailServer.stop()
  await beginEvening()
  const ids = [reader, other, writer].map(({ user }) => user.userId)
  const waiting = async () => {
    const { rows } = await usersDb.query<{ id: string }>(
      `select id::text from graphile_worker._private_jobs
        where attempts > 0 and (payload -> 'missedBy' ->> 'userId')::int = any ($1::int[])`,
      [ids],
    )
    return rows.map(({ id }) => id)
  }
  await until(async () => (await waiting()).length === ids.length, 60_000)
  const jobs = await waiting()
  // As if they had waited for an hour.
  await usersDb.query(
    `update graphile_worker._private_jobs
        set payload = jsonb_set(payload::jsonb, '{missedBy,digest,at}',
                                to_jsonb((payload -> 'missedBy' -> 'digest' ->> 'at')::bigint - 3600000))::json
      where id = any ($1::bigint[]) returning id`,
    [jobs],
  )
  await reader.user.call(endpoints.messaging.markAllAsRead, {})
  await other.user.call(endpoints.messaging.markTopicAsRead, {
    stream_id: other.channel.id,
    topic_name: 'one',
  })
  await sendToChannel(writer.user, writer.channel.id, 'here again', 'two')
  await mailServer.start()
  await usersDb.query(`select graphile_worker.reschedule_jobs($1::bigint[], run_at => now())::text`, [jobs])
  const [mail] = await mailServer.waitForMails(other.user.email)
  await untilMailed()
  expect(mail?.text).toContain('news')
  expect(mail?.text).not.toContain('read meanwhile')
  // It still says that there are new channels.
  const [read] = await mailServer.waitForMails(reader.user.email)
  expect(read?.text).not.toMatch(/read meanwhile|news/)
  expect(mailServer.mailsTo(writer.user.email)).toEqual([])
})

test('a digest that waits for the mail server goes to the address that the user has by then', async () => {
  const { user, channel } = await newReader()
  await sendToChannel(product.owner, channel.id, 'only for the user', 'one')
  await letAWeekPass()
  await mailServer.stop()
  await beginEvening()
  const waiting = async () => {
    const { rows } = await usersDb.query<{ id: string }>(
      `select id::text from graphile_worker._private_jobs
        where attempts > 0 and locked_at is null and (payload -> 'missedBy' ->> 'userId')::int = $1`,
      [user.userId],
    )
    return rows.map(({ id }) => id)
  }
  await until(async () => (await waiting()).length > 0, 60_000)
  const new_email = `new-${user.email}`
  await runManageHere(environmentOf(product), ['allow-email-changes', '.', product.owner.email])
  await product.owner.call(updateUser, { user_id: user.userId, new_email })
  await mailServer.start()
  await usersDb.query(`select graphile_worker.reschedule_jobs($1::bigint[], run_at => now())::text`, [
    await waiting(),
  ])
  const [mail] = await mailServer.waitForMails(new_email)
  await untilMailed()
  expect(mail?.text).toContain('only for the user')
  expect(textOf(mailServer.mailsTo(user.email))).not.toContain('only for the user')
})

test('clients learn that the installation mails digests', async () => {
  const state = await product.owner.call(endpoints.events.register, { fetch_event_types: ['realm'] })
  expect(state).toMatchObject({ settings_send_digest_emails: true, realm_digest_emails_enabled: true })
})

test('each user gets one digest although replicas of users die', async () => {
  const readers: ApiClient[] = []
  for (let index = 0; index < 30; index++) readers.push(...(await newUsers(product, 1)))
  for (const reader of readers) await reader.call(updateSettings, { timezone: evening.timezone })
  const channel = await newChannel(product.owner, { others: readers })
  await sendToChannel(product.owner, channel.id, 'read all about it', 'news')
  await letAWeekPass()
  // A mail that a dying replica is about to send waits for hours, so mails are counted before they are sent.
  await mailServer.stop()
  const queuedMails = async () => {
    const { rows } = await usersDb.query<{ to: string }>(
      `select payload ->> 'to' as to from graphile_worker._private_jobs where payload ->> 'subject' like 'What you missed%'`,
    )
    return readers.map(({ email }) => rows.filter(({ to }) => to === email).length)
  }
  await beginEvening()
  for (const replica of [0, 1]) {
    await until(async () => (await queuedMails()).filter((count) => count > 0).length > replica * 10, 60_000)
    const dying = product.system.replica('users', replica)
    await dying.kill('SIGKILL')
    await letLeaseEnd(usersDb, 'digest_progress', 60)
    await dying.start()
  }
  await until(async () => (await queuedMails()).every((count) => count > 0), 120_000)
  expect(new Set(await queuedMails())).toEqual(new Set([1]))
  await mailServer.start()
}, 240_000)
